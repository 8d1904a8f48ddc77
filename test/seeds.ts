// The size and the seeds of a test run. `npm test` is small and its seeds are fixed: two runs of one commit do the
// same. `npm run test:full` (TEST_SIZE=full) is complete. Its seed is TEST_SEED, which `.ci/run` takes from the commit;
// otherwise it draws a fresh one, which it prints.

/** Whether this run is complete. */
export const IS_FULL = process.env.TEST_SIZE === 'full'

/** The number of cases: of `npm test`, or of `npm run test:full`. */
export const sized = <T>(small: T, full: T): T => (IS_FULL ? full : small)

const FIXED_SEED = 20_261_121
/** Seeds are 31-bit integers. */
const SEED_LIMIT = 2 ** 31

/** The seed of this run. Other processes of the run inherit it from the environment. */
export const SEED: number = IS_FULL ? freshSeed() : FIXED_SEED

function freshSeed(): number {
  const given = process.env.TEST_SEED
  if (given !== undefined) {
    if (!/^\d+$/.test(given)) throw new Error(`TEST_SEED must be a whole number, not ${given}`)
    return Number(given)
  }
  const drawn = Date.now() % SEED_LIMIT
  process.env.TEST_SEED = String(drawn)
  console.log(`TEST_SEED=${drawn} repeats the random cases of this run`)
  return drawn
}
