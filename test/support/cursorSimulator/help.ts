/** What `--help` prints: enough to pass for Cursor's program where its version is asked for, and that it is none. */
export const help = `Usage: cursor-agent [options] [command] [prompt...]

This is a SIMULATION of the Cursor Agent for the tests and the demo of Sallyport. It has no model, runs no command and changes
no file of yours: it plays a scenario.

Start the Cursor Agent (simulated)

Options:
  -v, --version             Print the simulated version
  -f, --force               Ask nothing
  --resume <chatId>         Go on with a chat
  -h, --help                Print this

Options of the real program that this one refuses:
  --output-format <format>, --mode <mode>, --trust (all of them)

Commands:
  create-chat               Create a chat and print its id

Variables: CURSOR_SIMULATOR_SCENARIO names the scenario (JSON), CURSOR_SIMULATOR_LOG the log of what was received.
`;
