// Backups in an S3 bucket: the same commands, and a lock that a killed process does not hold for ever.

import { expect } from 'chai'
import { s3Destination } from '../../../portability/backup/s3-destination.ts'
import type { LockClock } from '../../../portability/backup/s3-lock.ts'
import { addressOf } from '../../../stores/s3/address.ts'
import { command, newFolder, openService, type Service } from '../../cli/service.ts'
import { type Bucket, freshBucket, STARTED_WITHIN_MS } from '../../servers/s3/store.ts'
import { pause } from '../../until.ts'
import { MASTER_KEY } from './backed-up.ts'

const RACERS = 5
const FASTER = 10
/** Runs the minutes of a lock in seconds. */
const FAST: LockClock = {
  now: () => performance.now() * FASTER,
  pause: (ms) => pause(ms / FASTER),
  every(ms, run) {
    const timer = setInterval(run, ms / FASTER)
    return () => clearInterval(timer)
  },
}

describe('backups in S3', () => {
  let bucket: Bucket
  let service: Service
  let destination: string
  before(async function () {
    this.timeout(STARTED_WITHIN_MS)
    bucket = await freshBucket()
    destination = `s3://${bucket.name}/backups/one`
    service = await openService({ MASTER_KEY, DATA_DIR: await newFolder(), BACKUP_S3_URL: bucket.url })
    await service.json('game', 'create', 'Quest')
  })
  after(async () => {
    await service.close()
    await bucket.close()
  })

  it('are written, verified, listed and restored', async () => {
    const first = await service.json<{ id: string; events: number }>('backup', '--to', destination)
    await service.json('game', 'create', 'Second')
    const second = await service.json<{ id: string; new_events: number }>('backup', '--to', destination, '--keep', '1')
    expect(second).to.deep.include({ removed: [first.id] })
    const verified = await service.run('backup', 'verify', destination, '--json')
    expect(verified.json()).to.deep.include({ backups: 1, newest: second.id })
    const to = `${await newFolder()}/restored`
    const restored = await service.run('restore', '--from', destination, '--to', to, '--json')
    expect([restored.code, restored.json<{ events: number }>().events]).to.deep.equal([
      0,
      first.events + second.new_events,
    ])
  })

  it('refuses a second command at the same destination, and gives the destination back at the end of the first', async () => {
    const address = addressOf(`${bucket.url}/backups/one/`)
    const other = s3Destination(address, { clock: FAST })
    const lock = await other.lock()
    const refused = await service.run('backup', '--to', destination)
    expect([refused.code, refused.err.split('\n')]).to.deep.equal([
      1,
      [
        `${destination} is locked: waiting up to 60 s to see whether its lock is still renewed.`,
        `scorebook: Another backup, verification or restore is using ${destination}/. Wait until it has ended.`,
      ],
    ])
    await lock.release()
    await other.close()
    expect((await service.run('backup', '--to', destination)).code).to.equal(0)
  })

  it('lets exactly one of several processes take over the lock of a suspended one, which does not remove it', async () => {
    const address = addressOf(`${bucket.url}/backups/stale/`)
    const destinations = Array.from({ length: RACERS }, () => s3Destination(address, { clock: FAST }))
    const suspended = s3Destination(address, { clock: { ...FAST, every: () => () => {} } })
    const lost = await suspended.lock()
    const taken = await Promise.allSettled(destinations.map((destination) => destination.lock()))
    const locks = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const refusals = taken.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect([locks.length, refusals.length]).to.deep.equal([1, RACERS - 1])
    for (const refusal of refusals) expect(refusal).to.match(/^BackupFault: Another backup, verification or restore is/)
    expect(() => lost.check()).to.throw('The lock of the backup destination was lost')
    await lost.release()
    locks[0]?.check()
    await locks[0]?.confirm()
    await locks[0]?.release()
    await (await suspended.lock()).release()
    await Promise.all([suspended, ...destinations].map((destination) => destination.close()))
  })

  it('says at the start of a backup if the store lacks a condition that the lock needs', async () => {
    for (const lacking of [{ heedsMatches: false }, { heedsConditions: false }]) {
      Object.assign(bucket.gate, lacking)
      const result = await service.run('backup', '--to', `s3://${bucket.name}/backups/lacking`)
      Object.assign(bucket.gate, { heedsMatches: true, heedsConditions: true })
      expect([result.code, result.err]).to.deep.equal([
        1,
        `scorebook: The S3 store of s3://${bucket.name}/backups/lacking/ does not support If-None-Match and If-Match on PUT, ` +
          'which the lock on a backup destination needs. Use a store, or a version of it, that supports both.',
      ])
    }
    bucket.gate.fault = ({ method }) => (method === 'PUT' ? { status: 501, code: 'NotImplemented' } : null)
    const result = await service.run('backup', '--to', `s3://${bucket.name}/backups/lacking`)
    bucket.gate.fault = null
    expect(result.err).to.contain('does not support If-None-Match and If-Match on PUT')
  })

  const HEADERS = { authorization: 'AWS4-HMAC-SHA256 Credential=x/y/z' }
  /** Without the gate, which checks signatures. */
  const bare = (path: string) => `${bucket.bareUrl.replace(/\/\/.*@/, '//')}${path}`
  /** Puts an object as another program does. */
  const putForeign = async (name: string, body: string) => {
    expect((await fetch(bare(`/${name}`), { method: 'PUT', body, headers: HEADERS })).status).to.equal(200)
  }
  const read = async (name: string) => (await fetch(bare(`/${name}`), { headers: HEADERS })).text()
  const below = async (prefix: string) => {
    const listed = await (await fetch(bare(`?list-type=2&prefix=${prefix}`), { headers: HEADERS })).text()
    return [...listed.matchAll(/<Key>([^<]*)</g)].map(([, name = '']) => name)
  }

  it('make no first backup below a prefix where others have objects, and keep these at each later one', async () => {
    const foreign = ['secrets/ssh/id_rsa', 'lists/shopping.txt', 'backups/old.tar', 'log/nginx/access.log']
    for (const name of foreign) {
      const prefix = `foreign/${name.split('/')[0]}`
      await putForeign(`${prefix}/${name}`, name)
      const refused = await service.run('backup', '--to', `s3://${bucket.name}/${prefix}`)
      expect([refused.code, refused.err]).to.deep.equal([
        1,
        `scorebook: s3://${bucket.name}/${prefix}/ has no backups yet, but ${name}, which no backup wrote. Nothing was written. ` +
          'Choose an empty folder or prefix.',
      ])
    }
    const kept = `s3://${bucket.name}/kept`
    // As consoles of S3 stores make folders.
    await putForeign('kept/backups/', '')
    await service.json('backup', '--to', kept)
    for (const name of foreign) await putForeign(`kept/${name}`, name)
    await service.json('game', 'create', 'Third')
    await service.json('backup', '--to', kept, '--keep', '1')
    expect((await service.run('backup', 'verify', kept)).code).to.equal(0)
    for (const name of foreign) {
      expect(await read(`kept/${name}`)).to.equal(name)
      const prefix = `foreign/${name.split('/')[0]}/`
      expect(await below(prefix)).to.deep.equal([prefix + name])
    }
    expect(await below('kept/backups/2')).to.have.length(1)
  })

  it('neither replace nor remove an object of another program that has the name of the lock', async () => {
    await putForeign('locked/lock', '{"of":"another program"}')
    const refused = await service.run('backup', '--to', `s3://${bucket.name}/locked`)
    expect([refused.code, refused.err]).to.deep.equal([
      1,
      `scorebook: The object lock in s3://${bucket.name}/locked/ is not the lock of a backup. Nothing was read or written. ` +
        'Remove it if nothing else uses it, or use another prefix.',
    ])
    expect([await below('locked/'), await read('locked/lock')]).to.deep.equal([
      ['locked/lock'],
      '{"of":"another program"}',
    ])
  })

  it('says which setting is missing', async () => {
    const result = await command({ MASTER_KEY }, 'backup', 'list', destination)
    expect([result.code, result.err]).to.deep.equal([
      2,
      'scorebook: Set BACKUP_S3_URL to https://access-key:secret@host/bucket: the server and the key of s3:// destinations.',
    ])
  })
}).timeout(60_000)
