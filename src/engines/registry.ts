import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import type { Engine } from './engine.ts';
import { grok } from './grok.ts';

/** Every engine, in the order in which they are listed and tried. */
export const engines: readonly Engine[] = [codex, grok, claude, cursor];
