// Downloads over HTTP: links, and the bytes of a month.

import { expect } from 'chai'
import { ON_SERVERS } from '../../servers/store-urls.ts'
import { eventually } from '../../until.ts'
import { signInGuest } from '../game-fixtures.ts'
import { answerCode } from '../tenant.ts'
import { must } from '../world.ts'
import { type FilesFixture, OPEN_RULES, openFilesFixture } from './files-fixture.ts'

describe('downloads of files', () => {
  let fixture: FilesFixture

  beforeEach(async () => {
    fixture = await openFilesFixture()
    await fixture.freshBucket()
  })

  if (ON_SERVERS) {
    it('counts downloads from S3 at their full size when the link is made, as S3 does not report what it sends', async () => {
      const { ada, bob, world } = fixture
      must(await fixture.upload('/a', '0123456789', ada.token), 200)
      must(await fixture.put(fixture.at(''), { monthly_download_bytes: 25 }), 200)
      const { url, expires_in } = must(await fixture.download('/a', bob.token), 200)
      expect(expires_in).to.equal(60)
      await eventually(async () => (await fixture.details()).downloaded_this_month === 10)
      expect(String(await world.files.fetch(url))).to.equal('0123456789')
      expect(String(await world.files.fetch(url, 6))).to.equal('6789')
      must(await fixture.download('/a', bob.token), 200)
      const refused = await fixture.download('/a', bob.token)
      expect([answerCode(refused), refused.body.limit]).to.deep.equal([
        '422 download_quota_exceeded',
        'monthly_download_bytes',
      ])
      await eventually(async () => (await fixture.details()).downloaded_this_month === 20)
      world.clock.nowMs += 61_000
      expect(await world.files.fetch(url)).to.equal(null)
      world.clock.nowMs += 5 * 60_000
      expect((await fixture.download('/a', bob.token)).status).to.equal(422)
      expect((await fixture.details()).downloaded_this_month).to.equal(20)
    })

    it('serves the old bytes of an overwritten or deleted file while its link is valid', async () => {
      const { ada, bob, world } = fixture
      must(await fixture.upload('/a', 'first', ada.token), 200)
      const { url } = must(await fixture.download('/a', bob.token), 200)
      must(await fixture.upload('/a', 'second', ada.token), 200)
      expect(String(await world.files.fetch(url))).to.equal('first')
      const next = must(await fixture.download('/a', bob.token), 200)
      must(await fixture.unlink('/a', ada.token), 200)
      expect(String(await world.files.fetch(next.url))).to.equal('second')
    })
  } else {
    it('reserves the size of a download when the link is made, counts what is sent, and forgets the reservation later', async () => {
      const { ada, bob, world } = fixture
      must(await fixture.upload('/a', '0123456789', ada.token), 200)
      must(await fixture.put(fixture.at(''), { monthly_download_bytes: 35 }), 200)
      const first = must(await fixture.download('/a', bob.token), 200)
      const { url, expires_in, ...file } = first
      expect([file, expires_in]).to.deep.equal([must(await fixture.file('/a'), 200), 60])
      expect(await fixture.details()).to.include({ downloaded_this_month: 0 })
      expect(String(await world.files.fetch(url))).to.equal('0123456789')
      expect(String(await world.files.fetch(url, 6))).to.equal('6789')
      await eventually(async () => (await fixture.details()).downloaded_this_month === 14)
      must(await fixture.download('/a', bob.token), 200)
      must(await fixture.download('/a', ada.token), 200)
      const refused = await fixture.download('/a')
      expect([answerCode(refused), refused.body.limit]).to.deep.equal([
        '422 download_quota_exceeded',
        'monthly_download_bytes',
      ])
      world.clock.nowMs += 59_000
      expect((await fixture.download('/a')).status).to.equal(422)
      world.clock.nowMs += 2_000
      expect(await world.files.fetch(url)).to.equal(null)
      world.clock.nowMs += 2 * 60_000
      must(await fixture.download('/a', bob.token), 200)
      expect((await fixture.details()).downloaded_this_month).to.equal(14)
    })
  }

  if (!ON_SERVERS) {
    it('lets callers who request many links and use none block nobody else', async () => {
      const { ada, bob, client, world, game } = fixture
      must(await fixture.upload('/a', '0123456789', ada.token), 200)
      must(await fixture.upload('/large', 'x'.repeat(30), ada.token), 200)
      must(await fixture.put(fixture.at(''), { monthly_download_bytes: 90 }), 200)
      const guests = [ada, await signInGuest(world, game, client, 'Cem'), await signInGuest(world, game, client, 'Dee')]
      for (const { token } of guests) must(await fixture.download('/large', token), 200)
      expect((await fixture.download('/large', bob.token)).status).to.equal(422)
      const first = must(await fixture.download('/a', bob.token), 200)
      // Callers of one key without a player share one limit.
      for (let n = 0; n < 20; n++) must(await fixture.download('/a', client), 200)
      const last = must(await fixture.download('/a', client), 200)
      for (const { url } of [first, last]) expect(String(await world.files.fetch(url))).to.equal('0123456789')
      await eventually(async () => (await fixture.details()).downloaded_this_month === 20)
    })
  }

  it('answers a download link to every caller whom the rule `read` admits', async () => {
    const { ada, bob } = fixture
    must(await fixture.upload('/a', 'x', ada.token), 200)
    must(await fixture.setRules('/', { ...OPEN_RULES, read: 'creator' }), 200)
    expect((await fixture.download('/a', ada.token)).status).to.equal(200)
    expect(answerCode(await fixture.download('/a', bob.token))).to.equal('404 not_found')
  })
})
