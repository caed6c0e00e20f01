import { parentPort, workerData } from 'node:worker_threads';
import { prepareKnown } from './secrets/known.ts';
import { redactWhole } from './secrets/windows.ts';

// The script of the thread that `redact.ts` starts. `workerData` is the list of known values, and so is a message
// that is a list, from then on; any other message is a text, its answer a `Redacted`. A failure ends the thread, which is how the other side learns of it.
const port = parentPort;
if (port) {
  // The linter's profiler keeps a mark of every rule and text for as long as the thread lives; in this thread there are none.
  Object.defineProperty(performance, 'mark', { value: () => undefined });
  const prepare = (values: unknown) =>
    prepareKnown(Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []);
  let known = prepare(workerData);
  port.on('message', (text: unknown) => {
    if (Array.isArray(text)) {
      known = prepare(text);
      return;
    }
    if (typeof text !== 'string') throw new TypeError('the redaction thread expects a text');
    void redactWhole(text, known).then((redacted) => port.postMessage(redacted));
  });
}
