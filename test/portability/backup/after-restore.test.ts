// What was issued before a restore is refused after it: tokens, sessions, codes, tickets, positions. The restore is to
// an instant at which the used codes were unused, and the ended session had not ended.

import { expect } from 'chai'
import { connect } from '../../../clients/javascript/connect.ts'
import { openService, type Service } from '../../cli/service.ts'
import { firstCode } from '../../front-door/mails.ts'
import { pause } from '../../until.ts'
import { keyIn } from '../export/crawl.ts'
import { type BackedUp, MASTER_KEY, openBackedUp, restoredFolder } from './backed-up.ts'

const EMAILS = { used: 'ada@example.com', unused: 'bob@example.com' }
const REJECTED = [401, 'sign_in_rejected']
const WHICH = ['used', 'unused'] as const

type OneOfEach = { used: string; unused: string }

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, string>>
  readonly consistency: string
}

type Send = (path: string, body?: object | null, more?: Readonly<Record<string, string>>) => Promise<Answer>

/** Sends with a token; without a body a GET. */
const sender =
  (url: string, token: string): Send =>
  async (path, body = null, more = {}) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...more }
    const init = body === null ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(url + path, init)
    const consistency = answer.headers.get('X-Consistency-Token') ?? ''
    const isRead = answer.ok && body === null
    return { status: answer.status, body: isRead ? {} : ((await answer.json()) as Answer['body']), consistency }
  }

const outcome = ({ status, body }: Answer) => [status, body.code]

describe('after a restore to an earlier instant', () => {
  let world: BackedUp
  let restored: Service
  let send: Send
  let oldToken: string
  let oldPosition: string
  let oldConsistency: string
  const code: OneOfEach = { used: '', unused: '' }
  const ticket: OneOfEach = { used: '', unused: '' }
  const link: OneOfEach = { used: '', unused: '' }
  const refreshTokens: string[] = []
  let guestToken = ''
  const player = (path: string) => `/api/gm/${world.game}/player/${path}/`

  before(async function () {
    this.timeout(30_000)
    world = await openBackedUp()
    oldToken = await world.client.token()
    const sent = sender(world.service.url, oldToken)
    const [ended, live] = [await sent(player('guest'), { name: 'One' }), await sent(player('guest'), { name: 'Two' })]
    refreshTokens.push(ended.body.refresh_token ?? '', live.body.refresh_token ?? '')
    guestToken = live.body.guest_token ?? ''
    for (const which of WHICH) {
      await sent(player('code'), { email: EMAILS[which] })
      code[which] = await firstCode(world.service, EMAILS[which])
      ticket[which] = (await sent(player('ticket'), { player: world.ada })).body.ticket ?? ''
      link[which] = (await sent('/api/console/link/', {})).body.code ?? ''
    }
    await pause(3)
    const then = new Date().toISOString()
    await pause(3)
    const uses = [
      await sent(player('code/verify'), { email: EMAILS.used, code: code.used }),
      await sent(player('ticket/redeem'), { ticket: ticket.used }),
      await sent('/api/console/redeem/', { code: link.used }),
      await sender(world.service.url, ended.body.token ?? '')(player('signout'), {}),
    ]
    expect(uses.map(({ status }) => status)).to.deep.equal([201, 200, 200, 200])
    oldConsistency = (await sent(`/api/lb/${world.board}/score/`, { player: world.ada, score: '99' })).consistency
    for await (const event of world.client.events(world.game)) oldPosition = event.position
    await world.backUp()
    restored = await openService({ MASTER_KEY, DATA_DIR: await restoredFolder(world, '--at', then) })
    const key = await keyIn(world.service.dataDir, world.game)
    send = sender(restored.url, await (await connect({ baseUrl: restored.url, key })).token())
  })
  after(async () => {
    await restored.close()
    await world.service.close()
  })

  it('a token from before the restore is refused', async () => {
    const answer = await sender(restored.url, oldToken)(`/api/lb/${world.board}/score/`)
    expect(outcome(answer)).to.deep.equal([401, 'token_rejected'])
  })

  it('every session from before the restore is refused, also one that ended after the instant', async () => {
    for (const refresh_token of refreshTokens) {
      const answer = await send(player('refresh'), { refresh_token })
      expect(outcome(answer)).to.deep.equal(REJECTED)
    }
  })

  it('a guest signs in again by the guest token', async () => {
    expect((await send(player('guest'), { guest_token: guestToken })).status).to.equal(200)
  })

  it('a mailed code is refused, used after the instant or never', async () => {
    for (const which of WHICH) {
      const answer = await send(player('code/verify'), { email: EMAILS[which], code: code[which] })
      expect([which, ...outcome(answer)]).to.deep.equal([which, ...REJECTED])
    }
  })

  it('a sign-in ticket is refused, used after the instant or never', async () => {
    for (const which of WHICH) {
      const answer = await send(player('ticket/redeem'), { ticket: ticket[which] })
      expect([which, ...outcome(answer)]).to.deep.equal([which, ...REJECTED])
    }
  })

  it('a link to the console is refused, used after the instant or never', async () => {
    for (const which of WHICH) {
      const answer = await send('/api/console/redeem/', { code: link[which] })
      expect([which, ...outcome(answer)]).to.deep.equal([which, ...REJECTED])
    }
  })

  it('an event position from before the restore is refused with 400 `position_unknown`, and its own ones are known', async () => {
    const events = `/api/gm/${world.game}/events/`
    expect(outcome(await send(`${events}?from=${oldPosition}`))).to.deep.equal([400, 'position_unknown'])
    const client = await connect({ baseUrl: restored.url, key: await keyIn(world.service.dataDir, world.game) })
    const { position } = (await client.events(world.game).next()).value ?? { position: '' }
    expect((await send(`${events}?from=${position}`)).status).to.equal(200)
  })

  it('a consistency token from before the restore is refused with 400', async () => {
    const headers = { 'X-Consistency-Token': oldConsistency }
    const answer = await send(`/api/lb/${world.board}/score/`, null, headers)
    expect(outcome(answer)).to.deep.equal([400, 'consistency_token_unknown'])
  })
})
