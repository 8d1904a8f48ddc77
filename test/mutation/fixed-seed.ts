// Property tests that name no seed of their own use this one, so a mutant that one run kills survives no other run.

import fc from 'fast-check'

fc.configureGlobal({ seed: 1 })
