/**
 * What other clients start: finds a runtime and hands over to launch.cjs beside it. The runtime of an editor comes first,
 * since it is known to be new enough; on the desktop its path stays the same through updates, on a remote machine it is
 * written anew by the first window after an update. `node` is the way out when no such file is left. Nothing is printed to
 * standard output, which is the protocol's. Stays as it is when editors or Sallyport are updated.
 */
export function launcherScript(platform: NodeJS.Platform): { name: string; text: string } {
  return platform === 'win32'
    ? { name: 'sallyport-mcp.cmd', text: windowsText }
    : { name: 'sallyport-mcp', text: posixText };
}

/** What a client is told to start. */
export interface LauncherCommand {
  command: string;
  args: readonly string[];
}

/** How a client starts it. Windows starts no script by itself, and Node refuses to. */
export function launcherCommand(platform: NodeJS.Platform, launcher: string): LauncherCommand {
  return platform === 'win32' ? { command: 'cmd', args: ['/c', launcher] } : { command: launcher, args: [] };
}

const noRuntime =
  'Sallyport: found neither an editor with Sallyport nor node to start its MCP server with. Start your editor once, or install Node 20 or newer.';

const posixText = `#!/bin/sh
# Sallyport's MCP server for clients outside the editor. Written by Sallyport, which keeps it up to date.
here=\${0%/*}
for place in "$here"/places/*; do
  [ -f "$place" ] || continue
  IFS= read -r runtime < "$place"
  if [ -x "$runtime" ]; then
    ELECTRON_RUN_AS_NODE=1 exec "$runtime" "$here/launch.cjs" "$@"
  fi
done
if command -v node > /dev/null 2>&1; then
  exec node "$here/launch.cjs" "$@"
fi
echo '${noRuntime}' >&2
exit 1
`;

/** Of a place's two lines only the runtime is an .exe. The places are UTF-8, hence the code page. */
const windowsText = `@echo off
rem Sallyport's MCP server for clients outside the editor. Written by Sallyport, which keeps it up to date.
setlocal DisableDelayedExpansion
chcp 65001 >nul 2>nul
set "here=%~dp0"
set "runtime="
for %%p in ("%here%places\\*") do for /f "usebackq delims=" %%r in ("%%~fp") do if not defined runtime if /i "%%~xr"==".exe" if exist "%%~r" set "runtime=%%~r"
if not defined runtime where node >nul 2>nul && set "runtime=node"
if not defined runtime (
  echo ${noRuntime} 1>&2
  exit /b 1
)
set "ELECTRON_RUN_AS_NODE=1"
"%runtime%" "%here%launch.cjs" %*
exit /b %errorlevel%
`.replaceAll('\n', '\r\n');
