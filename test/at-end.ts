// Work at the end of a whole mocha run, for what several test files share. `.mocharc.json` loads this in every run. A root
// `after` hook would run after each file when files run in parallel.

const endings: (() => Promise<unknown>)[] = []

/** Runs `end` after the last test. A parallel worker exits without it: remove folders and end processes on its 'exit' too. */
export function atEnd(end: () => Promise<unknown>): void {
  endings.push(end)
}

/** Called by mocha in its main process. */
export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all(endings.map((end) => end()))
}
