// Damaged pages of the embedded log and of the vault, which cannot be built from another file: each error names the
// file and the remedy, and the file stays where it is.

import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { StoresFault } from '../../stores/contract/faults.ts'
import { isDamaged } from '../../stores/embedded/damaged.ts'
import { openEmbeddedDocuments, openEmbeddedLog } from '../../stores/embedded/open.ts'
import { appended, everything, idsOf, someEvents } from '../contracts/events.ts'
import { Random } from '../random.ts'
import { SEED, sized } from '../seeds.ts'
import { damagePage, pagesOf } from './damage-pages.ts'
import { newPath } from './folder.ts'

const ROUNDS = sized(20, 300)
const EVENTS = 600
const SECRETS = 300
const hooks = { onFailure: () => {} }

const rejected = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error)

/** Reads all of it and writes. Resolves with what it read. */
async function useLog(path: string): Promise<unknown> {
  const stores = await openEmbeddedLog(dirname(path), hooks)
  try {
    const events = idsOf(await everything(stores.log))
    for (let n = 0; n < 3; n += 1) events.push(...idsOf(await stores.log.readStream(`s-${n}`, 0, EVENTS)))
    await appended(stores.log, 'new', 'none', someEvents(2))
    await stores.logErasure?.purge()
    return events
  } finally {
    await stores.close()
  }
}

async function useVault(path: string): Promise<unknown> {
  const { vault, documentErasure, close } = await openEmbeddedDocuments(dirname(path), hooks)
  try {
    const secrets: unknown[] = []
    for (let n = 0; n < SECRETS; n += 1) secrets.push(await vault.get('player-key', `p-${n}`))
    secrets.push(...(await vault.scan(null, SECRETS)), ...(await vault.idsOf('player-key', null, SECRETS)))
    await vault.destroy('player-key', 'p-7')
    await documentErasure?.purge()
    return secrets
  } finally {
    await close()
  }
}

async function filledLog(): Promise<string> {
  const path = newPath('log.sqlite')
  const { log, close } = await openEmbeddedLog(dirname(path), hooks)
  for (let n = 0; n < 3; n += 1) await appended(log, `s-${n}`, 'none', someEvents(EVENTS / 3))
  await close()
  return path
}

async function filledVault(): Promise<string> {
  const path = newPath('vault.sqlite')
  const { vault, close } = await openEmbeddedDocuments(dirname(path), hooks)
  const puts = Array.from({ length: SECRETS }, (_, n) =>
    vault.putIfAbsent('player-key', `p-${n}`, Buffer.alloc(100, n)),
  )
  await Promise.all(puts)
  await close()
  return path
}

function expectNamed(path: string, error: unknown, damage: string): void {
  expect(error, damage).to.be.instanceOf(StoresFault)
  expect(String(error), damage)
    .to.include(`${path} is damaged (`)
    .and.to.include('Stop the server and restore the data folder from a backup.')
  expect(existsSync(path)).to.equal(true)
  expect(readdirSync(dirname(path)).filter((name) => name.includes('damaged-'))).to.deep.equal([])
}

for (const [name, fill, use] of [
  ['log.sqlite', filledLog, useLog],
  ['vault.sqlite', filledVault, useVault],
] as const) {
  describe(`damaged pages of ${name}`, () => {
    it(`are read as they were written, or named with the remedy: ${ROUNDS} files`, async () => {
      const good = await fill()
      const whole = newPath(name)
      copyFileSync(good, whole)
      const expected = await use(whole)
      const { count } = pagesOf(good)
      const random = new Random(SEED)
      let named = 0
      for (let round = 0; round < ROUNDS; round += 1) {
        const path = newPath(name)
        for (const file of readdirSync(dirname(good)))
          copyFileSync(`${dirname(good)}/${file}`, `${dirname(path)}/${file}`)
        const page = random.chance(0.2) ? 1 : 1 + random.below(count)
        const damage = `seed ${SEED}, round ${round}: ${damagePage(path, page, random)}`
        const used = await use(path).catch((error: unknown) => error)
        if (used instanceof Error) {
          expectNamed(path, used, damage)
          named += 1
        } else expect(used, damage).to.deep.equal(expected)
      }
      expect(named).to.be.greaterThan(ROUNDS / 4)
    })
  })
}

describe('an event of the log that is not JSON', () => {
  it('is named with the file and the remedy by a read, and by a start that builds the index', async () => {
    const path = await filledLog()
    const db = new DatabaseSync(path)
    db.exec("UPDATE events SET meta = '{;}' WHERE position = 5")
    db.close()
    const { log, close } = await openEmbeddedLog(dirname(path), hooks)
    expectNamed(path, await rejected(log.readAll(null, 9)), 'read')
    await close()
    const fresh = newPath('log.sqlite')
    copyFileSync(path, fresh)
    expectNamed(fresh, await rejected(openEmbeddedLog(dirname(fresh), hooks)), 'start')
  })
})

describe('an error of SQLite', () => {
  const failure = (errcode: number) => Object.assign(new Error('disk I/O error'), { errcode })

  it('shows damage if the disk cannot read a part of the file, and not if it cannot write', () => {
    for (const code of [266, 522, 8_202, 8_458]) expect(isDamaged(failure(code)), String(code)).to.equal(true)
    for (const code of [10, 778, 1_034]) expect(isDamaged(failure(code)), String(code)).to.equal(false)
  })
})
