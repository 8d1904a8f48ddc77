// A node dies at any append of an upload, an overwrite or a deletion. After the processes have run, the quota equals
// the sum of the files, and every upload is either a file or expired.

import { expect } from 'chai'
import type { FileCommandDeps } from '../../commands/command-deps.ts'
import { clearFiles, fileToClear } from '../../commands/file.ts'
import { type Log, NotSent } from '../../stores/contract/log.ts'
import { createMemoryLog } from '../memory/log.ts'
import { context, deleted, faultsIn, keyOf, looked, node, PLACE, uploaded } from './files-nodes.ts'

/** Passes a number of appends; all later ones are lost, as if the node had died. */
function dyingAfter(log: Log, appends: number): Log {
  let left = appends
  return {
    ...log,
    append: async (stream, expected, events) => {
      if (left-- <= 0) throw new NotSent('dead')
      return log.append(stream, expected, events)
    },
  }
}

type Act = (deps: FileCommandDeps) => Promise<unknown>

const ACTS: Readonly<Record<string, readonly [before: Act, dying: Act]>> = {
  'a first upload': [async () => {}, (deps) => uploaded(deps, '/a', 5, 'p1')],
  'an overwrite by another': [(deps) => uploaded(deps, '/a', 5, 'p1'), (deps) => uploaded(deps, '/a', 9, 'p2')],
  'an overwrite by less': [(deps) => uploaded(deps, '/a', 5, 'p1'), (deps) => uploaded(deps, '/a', 2, null)],
  'a deletion': [(deps) => uploaded(deps, '/a', 5, 'p1'), (deps) => deleted(deps, '/a')],
  'a clearing': [
    async (deps) => {
      for (const path of ['/a', '/b', '/c']) await uploaded(deps, path, 5, 'p1')
    },
    (deps) => {
      const all = ['/a', '/b', '/none'].map((path) => fileToClear({ folder: 'k1', key: keyOf(path) }))
      return clearFiles(deps, PLACE, all, context())
    },
  ],
}

describe('files and quotas', () => {
  for (const [what, [before, dying]] of Object.entries(ACTS)) {
    it(`keeps files and quota consistent whenever the node dies: ${what}`, async () => {
      let isOver = false
      for (let appends = 0; !isOver; appends++) {
        const log = createMemoryLog()
        await before(node(log))
        isOver = await dying(node(dyingAfter(log, appends))).then(
          () => true,
          () => false,
        )
        if (appends > 20) throw new Error('it never came to its end')
        for (const time of ['once', 'again']) {
          await looked(log)
          expect(await faultsIn(log), `${appends} appends, looked ${time}`).to.deep.equal([])
        }
      }
    })
  }
})
