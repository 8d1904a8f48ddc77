// A restore drill with the FILES_DIR of the running production, in the other orders of starting than
// shared-files.test.ts.

import { drillWith, sharedFolder } from './shared-store.ts'

describe('a restored installation with the FILES_DIR of production, which production has marked', function () {
  this.timeout(60_000)
  for (const order of ['production', 'restored'] as const) {
    it(`deletes no byte of production before it adopts the folder; order of the starts: ${order} first`, async () => {
      await drillWith(await sharedFolder(), order)
    })
  }
})
