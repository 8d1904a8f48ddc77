// Ends what the test files of one process share.

/**
 * Runs `end` after the last test of the run. Call it while a test file loads. A parallel worker runs root hooks after
 * each file and exits without a last one: there `end` does not run, so remove folders and end processes on the
 * process's 'exit' too. Outside mocha the caller ends what it started.
 */
export function atEnd(end: () => Promise<unknown>): void {
  if ('after' in globalThis && process.env.MOCHA_WORKER_ID === undefined) after(async () => void (await end()))
}
