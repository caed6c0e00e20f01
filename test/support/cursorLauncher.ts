import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { simulatorBinary } from './cursorSimulator/inTmux.ts';
import type { ScenarioInput } from './cursorSimulator/scenario.ts';

/** A simulated cursor-agent to point a setting to, and what its environment has to hold. */
export interface CursorLauncher {
  program: string;
  environment: Record<string, string>;
  /** See `readLog`. */
  logFile: string;
}

/** Prepares it in a folder of the caller's. */
export async function writeCursorLauncher(folder: string, scenario: ScenarioInput): Promise<CursorLauncher> {
  const [scenarioFile, logFile] = [join(folder, 'scenario.json'), join(folder, 'log.jsonl')];
  await writeFile(scenarioFile, JSON.stringify(scenario));
  const environment = {
    CURSOR_CONFIG_DIR: join(folder, 'cursor'),
    CURSOR_SIMULATOR_SCENARIO: scenarioFile,
    CURSOR_SIMULATOR_LOG: logFile,
  };
  return { program: simulatorBinary, environment, logFile };
}
