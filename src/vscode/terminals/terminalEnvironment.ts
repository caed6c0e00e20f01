/** The editor's own state, and what would turn the agent's Node into the editor's. */
const foreign = /^(?:ELECTRON_|VSCODE_|SALLYPORT_|CHROME_DESKTOP$|NODE_OPTIONS$|GDK_PIXBUF_|ORIGINAL_XDG_)/;
/** Would make a program believe that it is in the terminal that the editor was started from. */
const otherTerminal =
  /^(?:TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES|PWD|OLDPWD|TERM_PROGRAM.*|VTE_VERSION|KITTY_.*|ITERM_.*|WT_SESSION)$/;

/** What a person's own program sees in a terminal that Sallyport opens: their environment, not that of a worker. */
export function terminalEnvironment(
  from: NodeJS.ProcessEnv,
  { path, set }: { path: string; set: Readonly<Record<string, string>> },
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv {
  const own = { ...set, PATH: path, COLORTERM: 'truecolor', TERM_PROGRAM: 'vscode' };
  // Windows has no case in names (its PATH is Path): of two spellings a program may get either.
  const fold = (name: string) => (platform === 'win32' ? name.toUpperCase() : name);
  const replaced = new Set(Object.keys(own).map(fold));
  const kept = Object.entries(from).filter(
    ([name]) => !foreign.test(fold(name)) && !otherTerminal.test(fold(name)) && !replaced.has(fold(name)),
  );
  return { ...Object.fromEntries(kept), ...own };
}
