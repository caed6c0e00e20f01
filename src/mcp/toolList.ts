import type { Tool } from './tool.ts';
import { bridgeStats } from './tools/bridgeStats.ts';
import { build } from './tools/build.ts';
import { delegate } from './tools/delegate.ts';
import { explore } from './tools/explore.ts';
import { fanOut } from './tools/fanOut.ts';
import { fastDelegate } from './tools/fastDelegate.ts';
import { followUp } from './tools/followUp.ts';
import { generateImage } from './tools/generateImage.ts';
import { plan } from './tools/plan.ts';
import { readSlice } from './tools/readSlice.ts';
import { runFiltered } from './tools/runFiltered.ts';
import { webLookup } from './tools/webLookup.ts';

/** Every tool, in the order clients list them. A new tool is one file in tools/ and one line here. */
export const tools: readonly Tool[] = [
  delegate,
  fastDelegate,
  explore,
  readSlice,
  runFiltered,
  webLookup,
  plan,
  build,
  fanOut,
  generateImage,
  followUp,
  bridgeStats,
];
