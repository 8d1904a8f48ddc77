// Mails of sign-in codes: how many are sent, to whom, and what happens when none can be.

import { expect } from 'chai'
import { mailCode } from '../../../commands/sign-in/mail-code.ts'
import { DEFAULT_ADDRESS_LIMITS } from '../../../runtime/rate-limits.ts'
import { refusalCodeOf, refusalOf } from '../../refusal-of.ts'
import { asked, LONG_AGO_MS, signInRig } from './sign-in-rig.ts'

const EMAIL = 'ada@example.com'
const MINUTE_MS = 60_000

describe('mails of codes', () => {
  it('are at most three to one address, and say when the next may be requested', async () => {
    const { deps, mails } = signInRig()
    for (let n = 0; n < 3; n++) await mailCode(deps, asked(EMAIL), LONG_AGO_MS + n * MINUTE_MS)
    const refusal = await refusalOf(mailCode(deps, asked(EMAIL), LONG_AGO_MS + 3 * MINUTE_MS))
    expect([refusal.kind, refusal.code]).to.deep.equal(['too_many', 'rate_limited'])
    expect(refusal.message).to.match(/codes .* address\. Wait 720 s\.$/)
    expect(refusal.fields).to.deep.equal({ retry_after: 720, policy: 'mail' })
    await mailCode(deps, asked('eve@example.com'), LONG_AGO_MS + 3 * MINUTE_MS)
    await mailCode(deps, asked(EMAIL), LONG_AGO_MS + 15 * MINUTE_MS + 1)
    expect(mails).to.have.length(5)
  })

  it('are limited by the network that asks, where networks are counted', async () => {
    for (const countsNetworks of [true, false]) {
      const deps = { ...signInRig().deps, countsNetworks }
      for (let n = 0; n < DEFAULT_ADDRESS_LIMITS.mail_address.max; n++)
        await mailCode(deps, asked(`p${n}@example.com`), LONG_AGO_MS)
      const last = mailCode(deps, asked('last@example.com'), LONG_AGO_MS)
      if (!countsNetworks) {
        await last
        continue
      }
      const refusal = await refusalOf(last)
      expect(refusal.message).to.match(/codes .* network address\. Wait 900 s\.$/)
      expect(refusal.fields).to.deep.equal({ retry_after: 900, policy: 'mail_address' })
      await mailCode(deps, asked('last@example.com', '192.0.2.9'), LONG_AGO_MS)
    }
  }).timeout(10_000)

  it('cannot be sent without a mail server, and say when to try again', async () => {
    const { deps } = signInRig()
    const refusal = await refusalOf(mailCode({ ...deps, mail: null }, asked(EMAIL), LONG_AGO_MS))
    expect([refusal.kind, refusal.code, refusal.fields]).to.deep.equal([
      'unavailable',
      'mail_unavailable',
      { retry_after: 5 },
    ])
    expect(refusal.message).to.match(/cannot send mail .{20,}\.$/)
  })

  it('are not counted if they cannot be sent', async () => {
    const { deps, mails } = signInRig()
    expect(await refusalCodeOf(mailCode({ ...deps, mail: null }, asked(EMAIL), LONG_AGO_MS))).to.equal(
      'mail_unavailable',
    )
    const full = { send: () => false, close: async () => {} }
    for (let n = 0; n < 4; n += 1) {
      expect(await refusalCodeOf(mailCode({ ...deps, mail: full }, asked(EMAIL), LONG_AGO_MS))).to.equal(
        'mail_unavailable',
      )
    }
    for (let n = 0; n < 3; n += 1) await mailCode(deps, asked(EMAIL), LONG_AGO_MS)
    expect(await refusalCodeOf(mailCode(deps, asked(EMAIL), LONG_AGO_MS))).to.equal('rate_limited')
    expect(mails.map(({ email }) => email)).to.deep.equal([EMAIL, EMAIL, EMAIL])
    for (const { code } of mails) expect(code).to.match(/^\d{6}$/)
  })
})
