// A vault is restored alone, from a copy older than the deletion of a game: the next start destroys the game’s secrets
// again.

import { expect } from 'chai'
import { openStores } from '../../server/open-stores.ts'
import type { Secret, SecretReference, VaultStore } from '../../stores/contract/vault.ts'
import { deleteGame, makeGameToDelete, untilErased } from './game-to-delete.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const ROWS = 1_000

/** Works on the vault of a stopped server, without decrypting its values. */
async function withVault<T>(world: World, work: (vault: VaultStore) => Promise<T>): Promise<T> {
  const hooks = { onFailure: () => {}, warn: () => {}, now: () => world.clock.nowMs }
  const stores = await openStores({ ...world.storeUrls, dataDir: world.dataDir, production: false }, hooks)
  try {
    return await work(stores.vault)
  } finally {
    await stores.close()
  }
}

async function rowsOf(vault: VaultStore): Promise<readonly Secret[]> {
  const rows: Secret[] = []
  for (let after: SecretReference | null = null; ; ) {
    const page: readonly Secret[] = await vault.scan(after, ROWS)
    rows.push(...page)
    if (page.length < ROWS) return rows
    after = page.at(-1) ?? null
  }
}

async function restore(vault: VaultStore, copy: readonly Secret[]): Promise<void> {
  for (const { kind, id } of await rowsOf(vault)) await vault.destroy(kind, id)
  for (const { kind, id, value } of copy) await vault.putIfAbsent(kind, id, value)
}

const isMarker = ({ kind, id }: SecretReference) => kind === 'installation' && id === 'deletions'
const named = (rows: readonly Secret[]) =>
  rows.filter((row) => !isMarker(row) && row.value.length > 0).map(({ kind, id }) => `${kind} ${id}`)
/** The day of a key's last use is not counted as a secret. */
const secret = (names: readonly string[]) => names.filter((name) => !name.startsWith('last-used '))
const emptied = (rows: readonly Secret[]) => rows.filter(({ value }) => value.length === 0).map(({ id }) => id)

describe('a vault restored from a copy older than the deletion of a game', () => {
  let world: World
  before(async function () {
    this.timeout(120_000)
    world = await openWorld({ logLevel: 'warn' })
  })
  after(() => world.close())

  it('contains no secret of the deleted game after the next start', async () => {
    await makeGameToDelete(world, 'Kept')
    await world.end()
    const others = named(await withVault(world, rowsOf))
    await world.restart()
    const doomed = await makeGameToDelete(world, 'Doomed')
    await world.end()
    const copy = await withVault(world, rowsOf)
    expect(named(copy).length - others.length).to.be.greaterThan(10)
    await world.restart()
    must(await deleteGame(world, doomed.game.id, doomed.name), 202)
    await untilErased(world, doomed.game.id)
    await world.end()
    const erased = await withVault(world, rowsOf)
    expect(named(erased)).to.have.members(others)
    await withVault(world, (vault) => restore(vault, copy))
    await world.restart()
    const outcome = world.lines
      .filter((line) => line.includes('secrets of deleted games'))
      .map((line) => JSON.parse(line))
    expect(outcome.map((line) => line.buried)).to.deep.equal([secret(named(copy)).length - secret(others).length])
    await world.restart()
    await world.end()
    const after = await withVault(world, rowsOf)
    expect(named(after)).to.have.members(others)
    expect(emptied(after)).to.have.members(emptied(erased))
    await world.restart()
    await tokenOf(world, world.operator)
  }).timeout(120_000)
})
