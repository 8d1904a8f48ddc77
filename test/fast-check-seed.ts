// Gives every fast-check property the seed of the run. `.mocharc.json` loads this in every run.

import fc from 'fast-check'
import { SEED } from './seeds.ts'

fc.configureGlobal({ seed: SEED })
