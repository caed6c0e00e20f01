/** Names the run in the environment of a worker and of everything it starts. */
export const runVariable = 'SALLYPORT_RUN';

/** How many Sallyport workers stand above a process: 1 in a worker that a person's own window started. */
export const depthVariable = 'SALLYPORT_DEPTH';

/** An environment entry that tells our processes from everyone else's. */
export interface Marker {
  name: string;
  value: string;
}

/** What every process of a run bears. */
export function runMarker(runId: string): Marker {
  return { name: runVariable, value: runId };
}
