import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScenarioInput } from './cursorSimulator/scenario.ts';

const simulator = join(import.meta.dirname, 'cursorSimulator', 'bin', 'cursor-agent');

/** Says of itself what the real one says, which is asked before it is started. */
const launcher = `#!/usr/bin/env bash
if [ "$1" = --help ]; then
  echo 'Start the Cursor Agent. Options: --output-format <f> --resume <id> --mode <m> --trust '
else
  exec '${simulator}' "$@"
fi
`;

/** A simulated cursor-agent to point a setting to, and what its environment has to hold. */
export interface CursorLauncher {
  program: string;
  environment: Record<string, string>;
  /** See `readLog`. */
  logFile: string;
}

/** Writes it into a folder of the caller's. */
export async function writeCursorLauncher(folder: string, scenario: ScenarioInput): Promise<CursorLauncher> {
  const [program, scenarioFile, logFile] = [
    join(folder, 'cursor-agent'),
    join(folder, 'scenario.json'),
    join(folder, 'log.jsonl'),
  ];
  await writeFile(program, launcher);
  await chmod(program, 0o755);
  await writeFile(scenarioFile, JSON.stringify(scenario));
  const environment = {
    CURSOR_CONFIG_DIR: join(folder, 'cursor'),
    CURSOR_SIMULATOR_SCENARIO: scenarioFile,
    CURSOR_SIMULATOR_LOG: logFile,
  };
  return { program, environment, logFile };
}
