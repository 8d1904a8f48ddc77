// `restore --servers` beside a log that is not the log of the vault: it would destroy all secrets.

import { expect } from 'chai'
import { sealingKeys } from '../../../credentials/master.ts'
import { keyStream } from '../../../domain/key.ts'
import { renewInstallation } from '../../../portability/backup/renew-installation.ts'
import type { OpenedStores } from '../../../stores/contract/stores.ts'
import { openEmbedded } from '../../../stores/embedded/open.ts'
import { openSealed } from '../../../stores/log-decorators/sealing/open.ts'
import { someEvent } from '../../contracts/events.ts'
import { newPath } from '../../stores/folder.ts'

const KEYS = sealingKeys({ current: new Uint8Array(32).fill(1), previous: [] })

describe('the restore of database servers', () => {
  let stores: OpenedStores
  beforeEach(async () => {
    stores = await openEmbedded(newPath('').replace(/\/$/, ''), { onFailure: () => {} })
    const sealed = (await openSealed(stores, KEYS, {})).stores
    for (const key of ['sk_one', 'sk_two']) await sealed.vault.putIfAbsent('key-secret', key, Uint8Array.of(1))
    await sealed.vault.putIfAbsent('refresh-token', 's1', Uint8Array.of(1))
  })
  afterEach(() => stores.close())

  const issue = (prefix: string) =>
    stores.log.append(keyStream(prefix), 'none', [{ ...someEvent(), type: 'KeyIssued', data: {} }])
  const renew = () => renewInstallation(stores, KEYS, () => {})
  const secrets = async () => (await stores.vault.scan(null, 99)).map(({ kind, id }) => `${kind} ${id}`)

  it('refuses a log that knows none of the keys and people of the vault, and changes nothing', async () => {
    await issue('sk_other')
    await stores.views.prepare({ key: 'some@1', collections: [] })
    const before = [await secrets(), await stores.views.list()]
    const failure = await renew().catch((error: Error) => error.message)
    expect(failure).to.match(
      /^The log names none of the 2 keys and people of the vault, so it is not the log of this vault\./,
    )
    expect([await secrets(), await stores.views.list()]).to.deep.equal(before)
  })

  it('accepts a log that knows one of them, and destroys the others and the sessions', async () => {
    await issue('sk_one')
    expect(await renew()).to.include({ sessions: 1, unknownSecrets: 1 })
    const left = (await secrets()).filter((one) => !one.startsWith('installation'))
    expect(left).to.deep.equal(['key-secret sk_one'])
  })
})
