// Verification of webhook messages, against signatures made by Node's crypto.

import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { expect } from 'chai'
import { verifyMessage, WebhookError } from '../../../clients/javascript/webhooks.ts'

const BODY = '{"type":"score.submitted","data":{"player_name":"Zoë"}}'
const secret = randomBytes(24)
const pair = generateKeyPairSync('ed25519')
const publicKey = `whpk_${pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`
const whsec = `whsec_${secret.toString('base64')}`

function message({ ageSeconds = 0, body = BODY, id = 'msg_1' } = {}) {
  const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds)
  const signed = Buffer.from(`${id}.${timestamp}.${body}`)
  const hmac = `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`
  const ed25519 = `v1a,${sign(null, signed, pair.privateKey).toString('base64')}`
  return {
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `${hmac} ${ed25519}` },
    hmac,
    ed25519,
  }
}

const outcomeOf = (verified: Promise<unknown>): Promise<unknown> =>
  verified.then(
    () => 'verified',
    (error: unknown) => (error instanceof WebhookError ? 'rejected' : error),
  )

describe('verifyMessage', () => {
  it('answers the parsed message for the secret and for the public key, of text and of bytes', async () => {
    const { headers } = message()
    for (const key of [whsec, publicKey]) {
      expect(await verifyMessage(BODY, headers, key)).to.deep.equal(JSON.parse(BODY))
      expect(await verifyMessage(Buffer.from(BODY), headers, key)).to.deep.equal(JSON.parse(BODY))
    }
  })

  it('takes headers as Headers, with capitals, and as arrays', async () => {
    const { headers } = message()
    expect(await outcomeOf(verifyMessage(BODY, new Headers(headers), whsec))).to.equal('verified')
    const capitals = { 'Webhook-Id': headers['webhook-id'], 'WEBHOOK-TIMESTAMP': [headers['webhook-timestamp']] }
    const signature = { 'webhook-signature': [headers['webhook-signature']] }
    expect(await outcomeOf(verifyMessage(BODY, { ...capitals, ...signature }, whsec))).to.equal('verified')
  })

  it('takes the right one of several signatures, in any order', async () => {
    const { headers, hmac, ed25519 } = message()
    const other = `v1,${Buffer.alloc(32).toString('base64')}`
    const all = { ...headers, 'webhook-signature': `${other} v2,x ${ed25519} ${hmac}` }
    expect(await outcomeOf(verifyMessage(BODY, all, whsec))).to.equal('verified')
    expect(await outcomeOf(verifyMessage(BODY, all, publicKey))).to.equal('verified')
  })

  it('rejects a changed body, id or time, a wrong key, and a signature of the other kind', async () => {
    const { headers, hmac, ed25519 } = message()
    for (const [body, changed, key] of [
      [`${BODY} `, {}, whsec],
      [BODY, { 'webhook-id': 'msg_2' }, whsec],
      [BODY, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }, publicKey],
      [BODY, {}, `whsec_${randomBytes(24).toString('base64')}`],
      [BODY, {}, `whpk_${randomBytes(32).toString('base64')}`],
      [BODY, { 'webhook-signature': ed25519 }, whsec],
      [BODY, { 'webhook-signature': hmac }, publicKey],
      [BODY, { 'webhook-signature': hmac.replace('v1,', 'v1a,') }, publicKey],
      [BODY, { 'webhook-signature': '' }, whsec],
      [BODY, { 'webhook-timestamp': 'now' }, whsec],
      [BODY, { 'webhook-id': ['msg_1', 'msg_1'] }, whsec],
    ] as const) {
      expect(await outcomeOf(verifyMessage(body, { ...headers, ...changed }, key))).to.equal('rejected')
    }
    expect(await outcomeOf(verifyMessage(BODY, {}, whsec))).to.equal('rejected')
    const bytes = Buffer.from([0xff, 0xfe])
    expect(await outcomeOf(verifyMessage(bytes, headers, whsec))).to.equal('rejected')
  })

  it('allows five minutes both ways', async () => {
    for (const [ageSeconds, outcome] of [
      [298, 'verified'],
      [-298, 'verified'],
      [302, 'rejected'],
      [-302, 'rejected'],
    ] as const) {
      expect(await outcomeOf(verifyMessage(BODY, message({ ageSeconds }).headers, whsec)), `${ageSeconds}`).to.equal(
        outcome,
      )
    }
  })

  it('throws TypeError for a key of another form', async () => {
    const { headers } = message()
    for (const key of ['', 'secret', secret.toString('base64'), 'whsec_', 'whsec_*', 'whpk_AAAA']) {
      expect(await outcomeOf(verifyMessage(BODY, headers, key)), key).to.be.instanceOf(TypeError)
    }
  })
})
