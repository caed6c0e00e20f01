// The simulated cursor-agent: see scenario.ts for what it can be made to do. Variables of its environment:
// CURSOR_SIMULATOR_SCENARIO names the scenario file; CURSOR_SIMULATOR_LOG the log, else it lies beside the scenario.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Command, parseCommand } from './commandLine.ts';
import { help } from './help.ts';
import { createLog } from './log.ts';
import { readScenario } from './scenario.ts';
import { runSession } from './session.ts';
import { createChat } from './createChat.ts';

const { CURSOR_SIMULATOR_SCENARIO: scenarioFile, CURSOR_CONFIG_DIR, XDG_CONFIG_HOME } = process.env;
const logFile = process.env.CURSOR_SIMULATOR_LOG ?? (scenarioFile && `${scenarioFile}.log`);
const scenario = readScenario(scenarioFile);
const log = logFile === undefined ? () => undefined : createLog(logFile);
const root = CURSOR_CONFIG_DIR ?? (XDG_CONFIG_HOME ? join(XDG_CONFIG_HOME, 'cursor') : join(homedir(), '.cursor'));
const cwd = process.cwd();
log({ event: 'start', argv: process.argv.slice(2) });

async function run(command: Command): Promise<void> {
  switch (command.kind) {
    case 'version':
      console.log(scenario.version);
      return;
    case 'help':
      console.log(help);
      return;
    case 'createChat':
      console.log(createChat({ root, cwd, title: scenario.title }));
      return;
    case 'unknown':
      console.error(`cursor-agent (simulated): unknown option ${command.argument}`);
      process.exitCode = 1;
      return;
    case 'interactive': {
      if (process.stdin.isTTY && process.stdout.isTTY) {
        const { resume, force, prompt } = command;
        await runSession({ scenario, root, cwd, force, resume, log }, prompt);
        return;
      }
      console.error('cursor-agent (simulated): needs a terminal');
      process.exitCode = 1;
    }
  }
}

await run(parseCommand(process.argv.slice(2)));
