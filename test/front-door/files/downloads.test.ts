// Downloads through the front door: links, and the month's bytes.

import { expect } from 'chai'
import { ON_SERVERS } from '../../servers/places.ts'
import { told } from '../tenant.ts'
import { must } from '../world.ts'
import { type Cabinet, eventually, OPEN_RULES, openCabinet } from './cabinet.ts'

describe('downloads', () => {
  let cabinet: Cabinet

  beforeEach(async () => {
    cabinet = await openCabinet()
    await cabinet.freshBucket()
  })

  if (ON_SERVERS) {
    it('settle at their full size when the link is made, as S3 does not tell what it sends', async () => {
      const { ada, bob, world } = cabinet
      must(await cabinet.upload('/a', '0123456789', ada.token), 200)
      must(await cabinet.put(cabinet.at(''), { monthly_download_bytes: 25 }), 200)
      const { url, expires_in } = must(await cabinet.download('/a', bob.token), 200)
      expect(expires_in).to.equal(60)
      await eventually(async () => (await cabinet.details()).downloaded_this_month === 10)
      expect(String(await world.files.fetch(url))).to.equal('0123456789')
      expect(String(await world.files.fetch(url, 6))).to.equal('6789')
      must(await cabinet.download('/a', bob.token), 200)
      const refused = await cabinet.download('/a', bob.token)
      expect([told(refused), refused.body.limit]).to.deep.equal([
        { status: 422, code: 'download_quota_exceeded' },
        'monthly_download_bytes',
      ])
      await eventually(async () => (await cabinet.details()).downloaded_this_month === 20)
      world.clock.nowMs += 61_000
      expect(await world.files.fetch(url)).to.equal(null)
      world.clock.nowMs += 5 * 60_000
      expect((await cabinet.download('/a', bob.token)).status).to.equal(422)
      expect((await cabinet.details()).downloaded_this_month).to.equal(20)
    })

    it('of what was overwritten or deleted meanwhile bring what it was, while the link lasts', async () => {
      const { ada, bob, world } = cabinet
      must(await cabinet.upload('/a', 'first', ada.token), 200)
      const { url } = must(await cabinet.download('/a', bob.token), 200)
      must(await cabinet.upload('/a', 'second', ada.token), 200)
      expect(String(await world.files.fetch(url))).to.equal('first')
      const next = must(await cabinet.download('/a', bob.token), 200)
      must(await cabinet.unlink('/a', ada.token), 200)
      expect(String(await world.files.fetch(next.url))).to.equal('second')
    })
  } else {
    it('are promised when the link is made, metered as they end, and forgotten some time after', async () => {
      const { ada, bob, world } = cabinet
      must(await cabinet.upload('/a', '0123456789', ada.token), 200)
      must(await cabinet.put(cabinet.at(''), { monthly_download_bytes: 35 }), 200)
      const first = must(await cabinet.download('/a', bob.token), 200)
      const { url, expires_in, ...file } = first
      expect([file, expires_in]).to.deep.equal([must(await cabinet.file('/a'), 200), 60])
      expect(await cabinet.details()).to.include({ downloaded_this_month: 0 })
      expect(String(await world.files.fetch(url))).to.equal('0123456789')
      expect(String(await world.files.fetch(url, 6))).to.equal('6789')
      await eventually(async () => (await cabinet.details()).downloaded_this_month === 14)
      must(await cabinet.download('/a', bob.token), 200)
      must(await cabinet.download('/a', ada.token), 200)
      const refused = await cabinet.download('/a')
      expect([told(refused), refused.body.limit]).to.deep.equal([
        { status: 422, code: 'download_quota_exceeded' },
        'monthly_download_bytes',
      ])
      world.clock.nowMs += 59_000
      expect((await cabinet.download('/a')).status).to.equal(422)
      world.clock.nowMs += 2_000
      expect(await world.files.fetch(url)).to.equal(null)
      world.clock.nowMs += 2 * 60_000
      must(await cabinet.download('/a', bob.token), 200)
      expect((await cabinet.details()).downloaded_this_month).to.equal(14)
    })
  }

  if (!ON_SERVERS) {
    it('are not promised to one who asks for link after link and uses none, beyond an eighth of the month', async () => {
      const { ada, bob, client, world } = cabinet
      must(await cabinet.upload('/a', '0123456789', ada.token), 200)
      must(await cabinet.put(cabinet.at(''), { monthly_download_bytes: 160 }), 200)
      const first = must(await cabinet.download('/a', bob.token), 200)
      must(await cabinet.download('/a', bob.token), 200)
      const refused = await cabinet.download('/a', bob.token)
      expect([told(refused), refused.body.limit]).to.deep.equal([{ status: 429, code: 'links_unused' }, 'unused_links'])
      for (const other of [ada.token, client, cabinet.game.token]) must(await cabinet.download('/a', other), 200)
      await world.files.fetch(first.url)
      await eventually(async () => (await cabinet.download('/a', bob.token)).status === 200)
      // Whoever waits as long as they are told, and uses nothing, is let in.
      const again = await cabinet.download('/a', bob.token)
      expect(told(again)).to.deep.equal({ status: 429, code: 'links_unused' })
      world.clock.nowMs += Number(again.headers['retry-after']) * 1_000
      must(await cabinet.download('/a', bob.token), 200)
    })
  }

  it('are answered to whom the rule `read` admits', async () => {
    const { ada, bob } = cabinet
    must(await cabinet.upload('/a', 'x', ada.token), 200)
    must(await cabinet.setRules('/', { ...OPEN_RULES, read: 'creator' }), 200)
    expect((await cabinet.download('/a', ada.token)).status).to.equal(200)
    expect(told(await cabinet.download('/a', bob.token))).to.deep.equal({ status: 404, code: 'not_found' })
  })
})
