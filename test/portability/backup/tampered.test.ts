// Backups that somebody changed who can write to the destination and has no key: each is refused, with what does not
// match, and restored with --trust alone.

import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { connect } from '../../../clients/javascript/connect.ts'
import { command, newFolder, openService } from '../../cli/service.ts'
import { Random } from '../../random.ts'
import { SEED, sized } from '../../seeds.ts'
import { type BackedUp, MASTER_KEY, type MadeBackup, openBackedUp } from './backed-up.ts'
import {
  copyOf,
  type Forged,
  forgedCopy,
  newestManifest,
  objectsIn,
  readForged,
  writeForged,
  writeManifest,
} from './forged.ts'

const env = { MASTER_KEY }
const NO_MATCH = 'does not match its authentication code'
/** Places in each object at which a bit is flipped. */
const REGIONS = 12

const CHANGES = sized(60, 200)

/** Changes one text, number or boolean somewhere in it. Returns its path. */
function changeOneValue(line: Forged['manifest'], random: Random): string {
  const name = random.pick(Object.keys(line))
  const value = line[name]
  const isDeeper = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (isDeeper) return `${name}.${changeOneValue(value, random)}`
  if (typeof value === 'number') line[name] = value + 1
  else if (typeof value === 'string') line[name] = value.replace(/^.?/, (first) => (first === 'a' ? 'b' : 'a'))
  else line[name] = value !== true
  return name
}

const verify = (folder: string, ...more: string[]) => command(env, 'backup', 'verify', folder, ...more)

async function restore(folder: string, ...more: string[]) {
  const to = join(await newFolder(), 'restored')
  return { to, ...(await command(env, 'restore', '--from', folder, '--to', to, ...more)) }
}

/** An Ed25519 key pair of the forger, and the event that makes its public half an operator key. */
function operatorKey({ chunks }: Forged) {
  const all = chunks.flatMap(({ lines }) => lines).filter(({ chunk }) => chunk === undefined)
  const issued = all.find(({ type, meta }) => type === 'KeyIssued' && meta.game === null) ?? {}
  const position = (Number.parseInt(all.at(-1)?.position ?? '0', 16) + 1).toString(16).padStart(16, '0')
  const { time } = all.at(-1) ?? {}
  const meta = { ...issued.meta, time }
  return { ...issued, position, stream: 'key-forgedforged', revision: 0, id: randomUUID(), time, meta }
}

const addEvent = (forged: Forged, event: Forged['chunks'][number]['lines'][number]) => {
  const lines = forged.chunks.at(-1)?.lines ?? []
  lines.splice(lines.length - 1, 0, event)
}

describe('a backup that somebody changed at its destination', () => {
  let world: BackedUp
  let first: MadeBackup
  let second: MadeBackup
  /** The destination after the first backup. */
  let earlier: string

  before(async function () {
    this.timeout(60_000)
    world = await openBackedUp()
    first = await world.backUp()
    earlier = await copyOf(world.destination)
    await world.client.submit(world.board, { player: world.ada, score: '99' })
    await world.client.createPlayer(world.game, { name: 'Later' })
    second = await world.backUp()
  })
  after(() => world.service.close())

  async function expectRefused(folder: string, reason: string | RegExp): Promise<void> {
    for (const { code, err } of [await verify(folder), await restore(folder)]) {
      expect([code, err]).to.deep.equal([1, err])
      if (typeof reason === 'string') expect(err).to.contain(reason)
      else expect(err).to.match(reason)
    }
  }

  it('is accepted while nobody changed it, also where its sums were made again as they were', async () => {
    const { out, code } = await verify(world.destination)
    expect([code, out]).to.deep.equal([0, out])
    expect(out).to.contain('The authentication codes match')
    expect((await verify(world.destination, '--json')).json()).to.deep.include({ authenticated: true, without_code: 0 })
    expect((await restore(world.destination)).code).to.equal(0)
  })

  it('with an operator key added is refused, and with --trust makes its holder operator, as the command says', async () => {
    const folder = await forgedCopy(world.destination, (forged) => addEvent(forged, operatorKey(forged)))
    await expectRefused(folder, NO_MATCH)
    const trusted = await restore(folder, '--trust')
    expect(trusted.code, trusted.err).to.equal(0)
    expect(trusted.err).to.contain(`Everybody who could write to ${folder} can have added an operator key`)
    const sums = await command({}, 'backup', 'verify', folder)
    expect([sums.code, sums.out]).to.deep.equal([0, sums.out])
    expect(sums.out).to.contain('Only sums were checked, which anyone who can write there can make.')
  })

  const changes: Record<string, (forged: Forged) => void> = {
    'an event removed from its end': ({ chunks }) => void chunks.at(-1)?.lines.splice(-2, 1),
    'a score changed': ({ chunks }) => {
      const lines = chunks.flatMap((chunk) => chunk.lines)
      const found = lines.find(({ type }) => type === 'ScoreSubmitted')
      if (found !== undefined) found.data = { ...found.data, score: '99999' }
    },
    'the permissions of a key widened': ({ chunks }) => {
      const found = chunks
        .flatMap((chunk) => chunk.lines)
        .find(({ type, meta }) => type === 'KeyIssued' && meta.game !== null)
      if (found !== undefined) found.data = { ...found.data, permissions: ['*'] }
    },
    'its chunk without the statement of the server': ({ chunks }) => void chunks.at(-1)?.lines.splice(-1, 1),
    'another code for its chunk': ({ chunks }) => {
      for (const { entry } of chunks) entry.code = 'a'.repeat(64)
    },
    'other games listed for its chunk': ({ chunks }) => {
      for (const { entry } of chunks) entry.games = []
    },
    'all its chunks removed': ({ chunks }) => void chunks.splice(0),
    'a secret removed': ({ secrets }) =>
      void secrets.splice(
        secrets.findIndex(({ kind }) => kind === 'key-secret'),
        1,
      ),
    'a secret of another kind in place of one': ({ secrets }) => {
      const [one, other] = [secrets.find(({ id }) => id === 'root'), secrets.find(({ id }) => id === 'begun')]
      if (one !== undefined) one.value = other?.value
    },
    'its root secret removed': ({ secrets }) =>
      void secrets.splice(
        secrets.findIndex(({ id }) => id === 'root'),
        1,
      ),
    'another time until which it can be restored': ({ manifest }) => {
      manifest.begun = '2026-01-01T00:00:00.000Z'
    },
    'another time at which it was made': ({ manifest }) => {
      manifest.made = '2026-01-01T00:00:00.000Z'
    },
    'another version': ({ manifest }) => {
      manifest.version = '0.2.1'
    },
    'another name, later than all others': ({ manifest }) => {
      manifest.id = '29990101T000000000Z'
    },
    'another code': ({ manifest }) => {
      manifest.code = manifest.code.replace(/^./, (digit: string) => (digit === '0' ? '1' : '0'))
    },
    'another sum of the log': ({ manifest }) => {
      manifest.log_chain = 'a'.repeat(64)
    },
  }
  for (const [what, change] of Object.entries(changes)) {
    it(`with ${what} is refused`, async () => {
      await expectRefused(await forgedCopy(world.destination, change), NO_MATCH)
    })
  }

  it('with the name of another installation is refused', async () => {
    const folder = await forgedCopy(world.destination, ({ manifest }) => {
      manifest.installation = 'a'.repeat(24)
    })
    await expectRefused(folder, NO_MATCH)
  })

  it('with a secret of the time of an older backup is refused', async () => {
    const folder = await forgedCopy(world.destination, (forged) => {
      const older = readForged(earlier).secrets
      forged.secrets = forged.secrets.filter(({ id }) => older.some((secret) => secret.id === id))
    })
    await expectRefused(folder, NO_MATCH)
  })

  it('with the lists of an older backup put in is refused', async () => {
    const folder = await copyOf(world.destination)
    const forged = readForged(folder)
    writeForged(folder, { ...forged, chunks: readForged(earlier).chunks })
    await expectRefused(folder, NO_MATCH)
    writeForged(folder, { ...forged, secrets: readForged(earlier).secrets })
    await expectRefused(folder, NO_MATCH)
  })

  it('without its code is refused, also as a backup of an earlier format, and restored with --trust', async () => {
    for (const format of [3, 2]) {
      const folder = await forgedCopy(world.destination, ({ manifest, chunks }) => {
        manifest.scorebook_backup = format
        for (const name of ['code', 'log_chain', 'secrets_sha256']) delete manifest[name]
        if (format === 3) return
        for (const { entry, lines } of chunks) {
          for (const name of ['code', 'lines_sha256', 'last_id']) delete entry[name]
          lines.pop()
        }
      })
      await expectRefused(folder, format === 2 ? 'has no authentication code' : 'has a damaged manifest')
      if (format === 3) continue
      expect((await verify(folder, '--trust')).out).to.contain('Only sums were checked')
      expect((await restore(folder, '--trust')).code).to.equal(0)
    }
  })

  it('of which an older manifest was changed is refused by `verify`, and by a restore of that one', async () => {
    const folder = await copyOf(world.destination)
    const { sha256: _, ...older } = JSON.parse(readFileSync(join(folder, 'backups', `${first.id}.json`), 'utf8'))
    writeManifest(folder, { ...older, head: second.head, events: second.events })
    for (const { code, err } of [await verify(folder), await restore(folder, '--backup', first.id)])
      expect([code, err.includes(`backups/${first.id}.json in ${folder} ${NO_MATCH}`)]).to.deep.equal([1, true])
    expect((await restore(folder)).code).to.equal(0)
    const { code: __, log_chain: ___, secrets_sha256: ____, ...rest } = older
    writeManifest(folder, { ...rest, scorebook_backup: 2 })
    expect((await verify(folder)).err).to.equal('')
    const without = await restore(folder, '--backup', first.id)
    expect([without.code, without.err]).to.deep.equal([1, without.err])
    expect(without.err).to.contain(`pass --at ${first.head} instead of --backup`)
    expect((await restore(folder, '--at', first.head)).code).to.equal(0)
  })

  it('with an older format after one with a code is refused: no earlier version can have made it', async () => {
    const folder = await copyOf(world.destination)
    const { sha256: _, ...newest } = JSON.parse(readFileSync(join(folder, 'backups', newestManifest(folder)), 'utf8'))
    await world.client.submit(world.board, { player: world.bob, score: '7' })
    const { code: __, log_chain: ___, secrets_sha256: ____, ...rest } = newest
    writeManifest(folder, { ...rest, scorebook_backup: 2 })
    const next = await world.service.json<MadeBackup>('backup', '--to', folder)
    expect(next.new_events).to.equal(1)
    expect((await verify(folder)).err).to.contain(`Backup ${second.id} in ${folder} has no authentication code`)
  })

  it(`with a bit flipped in any region of any object is refused (seed ${SEED})`, async function () {
    this.timeout(120_000)
    const random = new Random(SEED)
    const folder = await copyOf(world.destination)
    const accepted: string[] = []
    for (const name of objectsIn(folder)) {
      const path = join(folder, name)
      const bytes = readFileSync(path)
      for (let region = 0; region < REGIONS; region++) {
        const at = Math.floor(((region + random.next()) / REGIONS) * bytes.length)
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8))
        writeFileSync(path, changed)
        if ((await verify(folder)).code !== 1) accepted.push(`${name} at ${at}`)
      }
      writeFileSync(path, bytes)
    }
    expect(accepted).to.deep.equal([])
    expect((await verify(folder)).code).to.equal(0)
  })

  it(`with any one value of a line changed, and all sums made again, is refused (seed ${SEED})`, async function () {
    this.timeout(120_000)
    const random = new Random(SEED)
    const accepted: string[] = []
    for (let n = 0; n < CHANGES; n++) {
      let what = ''
      const folder = await forgedCopy(world.destination, ({ manifest, chunks, secrets }) => {
        const lines = random.pick([
          [manifest],
          secrets,
          chunks.flatMap((chunk) => chunk.lines),
          chunks.map(({ entry }) => entry),
        ])
        const line = random.pick(lines)
        what = `${n}: ${changeOneValue(line, random)} of ${JSON.stringify(line)}`
      })
      const same = JSON.stringify(readForged(folder)) === JSON.stringify(readForged(world.destination))
      if (!same && (await verify(folder)).code !== 1) accepted.push(what)
    }
    expect(accepted).to.deep.equal([])
  })

  it('with any of its objects missing is refused', async () => {
    for (const name of objectsIn(world.destination).filter((one) => !one.includes(first.id))) {
      const folder = await copyOf(world.destination)
      rmSync(join(folder, name))
      const { code } = name.startsWith('backups/') ? await restore(folder) : await verify(folder)
      expect([name, code]).to.deep.equal([name, 1])
    }
  })

  it('is written again from the log by the next backup, which its server tells what is its own', async () => {
    for (const change of ['a score changed', 'other games listed for its chunk', 'another code for its chunk']) {
      const folder = await forgedCopy(world.destination, changes[change] ?? (() => {}))
      await world.service.json<MadeBackup>('backup', '--to', folder)
      expect((await restore(folder)).err).not.to.contain('scorebook:')
      // The changed manifest is still there, as one of an older backup.
      expect((await verify(folder)).err).to.contain('if a newer backup is well, remove this object')
      rmSync(join(folder, 'backups', `${second.id}.json`))
      const { code, err } = await verify(folder)
      expect([change, code, err]).to.deep.equal([change, 0, ''])
    }
  })

  it('holds no chunk that somebody left there for the next backup to continue with', async () => {
    const folder = await copyOf(world.destination)
    const forged = readForged(folder)
    addEvent(forged, operatorKey(forged))
    writeForged(folder, forged)
    const added = objectsIn(folder).filter((name) => name.startsWith('log/'))
    const target = await copyOf(world.destination)
    for (const name of added) writeFileSync(join(target, name), readFileSync(join(folder, name)))
    await world.service.json<MadeBackup>('backup', '--to', target)
    expect((await verify(target)).err).to.equal('')
    expect(JSON.stringify(readForged(target))).not.to.contain('key-forgedforged')
    expect(objectsIn(target).filter((name) => added.includes(name))).to.deep.equal([])
  })

  it('is refused with another master key, and says which keys these are', async () => {
    const other = { MASTER_KEY: Buffer.alloc(32, 3).toString('base64') }
    const { code, err } = await command(other, 'backup', 'verify', world.destination)
    expect([code, err]).to.deep.equal([1, err])
    expect(err)
      .to.contain('are encrypted under master key')
      .and.contain('set MASTER_KEY (or MASTER_KEY_OLD) to that key')
    expect(err).not.to.contain('restored')
  })

  it('lets nobody in after a restore that was not trusted', async () => {
    const { to } = await restore(world.destination)
    const service = await openService({ MASTER_KEY, DATA_DIR: to })
    const forger = { prefix: 'forgedforged', secret: 'c2VjcmV0', algorithm: 'hmac-sha256' }
    const outcome = await connect({ baseUrl: service.url, key: forger }).then(
      () => 'accepted',
      ({ status }: { status: number }) => status,
    )
    await service.stop()
    expect(outcome).to.equal(401)
  })
})
