import { randomInt } from 'node:crypto';
import { describeWalStates } from '../support/cursorStore/walStates.ts';

const random = Array.from({ length: 6 }, () => randomInt(1e6));
describeWalStates({ seeds: [11, 12, 13, 14, ...random], statesPerSeed: 520, freeMs: 1000 });
