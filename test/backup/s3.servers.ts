// Backups in an S3 bucket: the same commands, and a lock that a killed process does not hold for ever.

import { expect } from 'chai'
import { s3Place } from '../../backup/s3-place.ts'
import { addressOf } from '../../stores/s3/address.ts'
import { command, newFolder, openService, type Service } from '../cli/service.ts'
import { type Bucket, freshBucket, STARTED_WITHIN_MS } from '../servers/s3/store.ts'
import { pause } from '../until.ts'
import { MASTER_KEY } from './backed-up.ts'

const RACERS = 5
/** S3 tells times of objects in whole seconds. */
const STALE_AFTER_MS = 4_000

describe('backups in S3', () => {
  let bucket: Bucket
  let service: Service
  let place: string
  before(async function () {
    this.timeout(STARTED_WITHIN_MS)
    bucket = await freshBucket()
    place = `s3://${bucket.name}/backups/one`
    service = await openService({ MASTER_KEY, DATA_DIR: await newFolder(), BACKUP_S3_URL: bucket.url })
    await service.json('game', 'create', 'Quest')
  })
  after(async () => {
    await service.close()
    await bucket.close()
  })

  it('are written, verified, listed and restored', async () => {
    const first = await service.json<{ id: string; events: number }>('backup', '--to', place)
    await service.json('game', 'create', 'Second')
    const second = await service.json<{ id: string; new_events: number }>('backup', '--to', place, '--keep', '1')
    expect(second).to.deep.include({ removed: [first.id] })
    const verified = await service.run('backup', 'verify', place, '--json')
    expect(verified.json()).to.deep.include({ backups: 1, newest: second.id })
    const to = `${await newFolder()}/restored`
    const restored = await service.run('restore', '--from', place, '--to', to, '--json')
    expect([restored.code, restored.json<{ events: number }>().events]).to.deep.equal([
      0,
      first.events + second.new_events,
    ])
  })

  it('refuses a second command at the same place, and gives the place back at the end of the first', async () => {
    const address = addressOf(`${bucket.url}/backups/one/`)
    const other = s3Place(address)
    const lock = await other.lock()
    const refused = await service.run('backup', '--to', place)
    expect([refused.code, refused.err]).to.deep.equal([
      1,
      `scorebook: Another backup, verification or restore is using ${place}/, or was killed within the last minute. ` +
        'Try again in a minute.',
    ])
    await lock.release()
    await other.close()
    expect((await service.run('backup', '--to', place)).code).to.equal(0)
  })

  it('lets exactly one of several processes take over a stale lock, which its first owner does not remove', async () => {
    const address = addressOf(`${bucket.url}/backups/stale/`)
    const places = Array.from({ length: RACERS }, () => s3Place(address, STALE_AFTER_MS))
    const suspended = s3Place(address, STALE_AFTER_MS)
    const lost = await suspended.lock()
    await pause(STALE_AFTER_MS + 100)
    const taken = await Promise.allSettled(places.map((place) => place.lock()))
    const locks = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const refusals = taken.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect([locks.length, refusals.length]).to.deep.equal([1, RACERS - 1])
    for (const refusal of refusals) expect(refusal).to.match(/^BackupFault: Another backup, verification or restore is/)
    expect(() => lost.check()).to.throw('The lock of the backup place was lost')
    await lost.release()
    const refused = await suspended.lock().catch((failure: unknown) => String(failure))
    expect(refused).to.match(/^BackupFault: Another backup/)
    await locks[0]?.release()
    await (await suspended.lock()).release()
    await Promise.all([suspended, ...places].map((place) => place.close()))
  })

  it('says which setting is missing', async () => {
    const result = await command({ MASTER_KEY }, 'backup', 'list', place)
    expect([result.code, result.err]).to.deep.equal([
      2,
      'scorebook: Set BACKUP_S3_URL to https://access-key:secret@host/bucket: the server and the key of s3:// places.',
    ])
  })
}).timeout(60_000)
