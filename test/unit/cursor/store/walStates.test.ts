import { randomInt } from 'node:crypto';
import { describeWalStates } from '../../../support/cursorStore/walStates.ts';

// A few hundred states; the suite `stores` tries thousands.
describeWalStates({ seeds: [1, 2, randomInt(1e6)], statesPerSeed: 150, freeMs: 300 });
