import type { Capture } from '../../process/capture.ts';

const timeoutMs = 30_000;
const maxBytes = 64 * 1024;
const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

/** The program to ask, and the folder the chat will work in, both absolute. `env` is complete. */
export interface NewChatRequest {
  binary: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

export type NewChat = { ok: true; chatId: string } | { ok: false; why: string };

/**
 * Has cursor-agent make a chat, so that its session is tied to it from the start. `why` is for people. Never rejects; an
 * abort is a failure like others. (`cursor-agent create-chat` prints the id: cursor-agent 2026.06 to 2026.10.)
 */
export async function createChat(request: NewChatRequest, capture: Capture): Promise<NewChat> {
  const { binary, cwd, env, signal } = request;
  const command = { file: binary, args: ['create-chat'], cwd, env, timeoutMs, maxBytes, signal };
  const { code, stdout, stderr, timedOut, startFailed } = await capture(command);
  const ids = new Set(stdout.toString('utf8').toLowerCase().match(uuid));
  const [chatId] = ids;
  if (code === 0 && ids.size === 1 && chatId !== undefined) return { ok: true, chatId };
  if (timedOut)
    return {
      ok: false,
      why: 'cursor-agent made no chat within 30 seconds. Is it signed in? Run `cursor-agent login` in a terminal, then try again.',
    };
  if (startFailed) return { ok: false, why: `cursor-agent could not be started: ${stderr}` };
  const said = lastLine(stderr) ?? lastLine(stdout.toString('utf8'));
  const words = said === undefined ? `exit code ${code ?? 'none'}` : `it says: ${said}`;
  return {
    ok: false,
    why: `cursor-agent made no chat (${words}). Run \`cursor-agent create-chat\` in a terminal to see more.`,
  };
}

/** The arguments that open a chat in a terminal. Never any that takes approvals out of the person's hands. */
export function resumeArguments(chatId: string): string[] {
  return ['--resume', chatId];
}

function lastLine(text: string): string | undefined {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .findLast((line) => line !== '');
}
