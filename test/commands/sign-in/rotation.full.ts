// A rotation of the master key refuses no sign-in, before, after, and if the process is killed between any two secrets.
// Earlier calls get the same answers when repeated.

import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import type { CommandContext } from '../../../commands/command-context.ts'
import type { CommandDeps } from '../../../commands/command-deps.ts'
import { foldStream } from '../../../commands/fold.ts'
import { createHandler } from '../../../commands/handle.ts'
import { challenge, redeem } from '../../../commands/handshake.ts'
import { issue } from '../../../commands/key.ts'
import { ownerOf, storeTokenHash } from '../../../commands/session.ts'
import { signInByCode } from '../../../commands/sign-in/code.ts'
import { mailCode } from '../../../commands/sign-in/mail-code.ts'
import { signInByPassword } from '../../../commands/sign-in/password.ts'
import { registerPlayer } from '../../../commands/sign-in/register.ts'
import type { SignInDeps } from '../../../commands/sign-in/sign-in-deps.ts'
import { makeTicket, playerOfExternalId, redeemTicket } from '../../../commands/sign-in/ticket.ts'
import { keyedIds } from '../../../credentials/command-ids.ts'
import { sealingKeys, workingKeys } from '../../../credentials/master.ts'
import { createTokens } from '../../../credentials/tokens.ts'
import { key as keyAggregate, keyStream } from '../../../domain/key.ts'
import { PERSONAL_FIELDS } from '../../../domain/personal.ts'
import type { VaultStore } from '../../../stores/contract/vault.ts'
import { openEmbeddedMemory } from '../../../stores/embedded/open.ts'
import { openSealed } from '../../../stores/log-decorators/sealing/open.ts'
import { reencrypt } from '../../../stores/log-decorators/sealing/reencrypt.ts'
import { createMemoryLog } from '../../memory/log.ts'
import { createRankings } from '../../memory/rankings-in-process.ts'
import { createMemoryVault } from '../../memory/vault.ts'
import { createMemoryViews } from '../../memory/views.ts'
import { asked, contextAt, GAME, LONG_AGO_MS, NETWORK, NOBODY, REGISTRATION, signInRig } from './sign-in-rig.ts'

const master = (byte: number) => new Uint8Array(32).fill(byte)
const BEFORE = sealingKeys({ current: master(1), previous: [] })
const READY = sealingKeys({ current: master(1), previous: [master(2)] })
const AFTER = sealingKeys({ current: master(2), previous: [master(1)] })
const DROPPED = sealingKeys({ current: master(2), previous: [] })

const CREDENTIALS = { login: REGISTRATION.login, password: REGISTRATION.password, network: '127.0.0.1' }
const MAIL = 'ada@example.com'
const EXTERNAL = { externalId: 'steam:7', name: 'Eve' }

/** What is on disk: it outlives every process. */
interface Disk {
  readonly log: ReturnType<typeof createMemoryLog>
  readonly vault: VaultStore
}

/** A process begun on the disk, which holds nothing from before. */
async function begin({ log, vault }: Disk, keys: typeof BEFORE) {
  const close = async () => {}
  const onServers = {
    history: null,
    newestTime: async () => null,
    logErasure: null,
    streamErasure: null,
    documentErasure: null,
  }
  const opened = {
    ...openEmbeddedMemory(createRankings()),
    ...onServers,
    log,
    vault,
    views: createMemoryViews(),
    close,
  }
  const { stores, root } = await openSealed(opened, keys, PERSONAL_FIELDS)
  const rig = signInRig()
  const working = workingKeys(root)
  const commands: CommandDeps = {
    handler: createHandler(stores.log),
    log: stores.log,
    vault: stores.vault,
    keys: working,
    publish: async () => {},
  }
  const deps: SignInDeps = { ...rig.deps, ...commands }
  const tokens = createTokens(working.token)
  const context = (idempotencyKey: string): CommandContext => ({
    ...contextAt(),
    ...keyedIds(working.generator, 'ck_x', null, idempotencyKey),
    call: `hash of ${idempotencyKey}`,
  })
  const keyOf = (prefix: string) => foldStream(stores.log, keyAggregate, keyStream(prefix))
  const handshake = { transient: rig.deps.transient, vault: stores.vault, tokens, keys: working, keyOf }
  return { deps, mails: rig.mails, tokens, context, handshake }
}

type Process = Awaited<ReturnType<typeof begin>>

/** Players who use every sign-in method, and their tokens. */
async function settle({ deps, context, mails, tokens }: Process) {
  const registered = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, context('register'))
  await mailCode(deps, asked(MAIL), LONG_AGO_MS)
  const mailed = await signInByCode(
    deps,
    GAME,
    { email: MAIL, code: mails[0]?.code ?? '', network: NETWORK, signedIn: null },
    contextAt(),
  )
  const external = await playerOfExternalId(deps, GAME, EXTERNAL, context('external'))
  const fresh = { game: GAME, name: 'k', kind: 'client', algorithm: 'hmac-sha256', permissions: [] } as const
  const issued = await issue(deps, fresh, context('key'))
  const claims = { key: issued.prefix, game: GAME, permissions: [], player: registered.id, session: 's1' }
  return {
    registered: registered.id,
    mailed: mailed.id,
    external: external?.id ?? '',
    guestToken: await storeTokenHash(deps, 'guest-token', mailed.id, Buffer.alloc(32, 5)),
    refreshToken: await storeTokenHash(deps, 'refresh-token', 's1', Buffer.alloc(32, 6)),
    prefix: issued.prefix,
    shown: issued.shown,
    bearer: (await tokens.issue(claims, LONG_AGO_MS)).token,
  }
}

type Settled = Awaited<ReturnType<typeof settle>>

async function expectNobodyRefused({ deps, context, mails, tokens, handshake }: Process, held: Settled): Promise<void> {
  expect((await signInByPassword(deps, GAME, CREDENTIALS, contextAt())).id).to.equal(held.registered)
  await mailCode(deps, asked(MAIL), LONG_AGO_MS)
  const sent = { email: MAIL, code: mails.at(-1)?.code ?? '', network: NETWORK, signedIn: null }
  expect((await signInByCode(deps, GAME, sent, contextAt())).id).to.equal(held.mailed)
  const known = await playerOfExternalId(deps, GAME, EXTERNAL, contextAt())
  const { ticket } = await makeTicket(deps, GAME, known, contextAt())
  const signedIn = await redeemTicket(deps, GAME, ticket, contextAt())
  expect([signedIn.id, signedIn.state.name]).to.deep.equal([held.external, EXTERNAL.name])
  expect(await ownerOf(deps, 'guest-token', held.guestToken)).to.equal(held.mailed)
  expect(await ownerOf(deps, 'refresh-token', held.refreshToken)).to.equal('s1')
  expect(tokens.check(held.bearer, LONG_AGO_MS)?.player).to.equal(held.registered)
  await expectKeyProves(handshake, held)
  // Calls from before, sent again: the same ids and secrets, and nothing new.
  const repeated = (name: string): CommandContext => ({ ...context(name), repeated: true })
  expect(
    (await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, repeated('register'))).id,
  ).to.equal(held.registered)
  const fresh = { game: GAME, name: 'k', kind: 'client', algorithm: 'hmac-sha256', permissions: [] } as const
  const again = await issue(deps, fresh, repeated('key'))
  expect([again.prefix, again.shown]).to.deep.equal([held.prefix, held.shown])
}

async function expectKeyProves(handshake: Process['handshake'], { prefix, shown }: Settled): Promise<void> {
  const asked = await challenge(handshake, prefix, LONG_AGO_MS)
  const unixTs = LONG_AGO_MS / 1_000
  const message = `${asked.request_id}.${asked.nonce}.${unixTs}.`
  const secret = 'secret' in shown ? String(shown.secret) : ''
  const signature = createHmac('sha256', secret).update(message).digest('base64url')
  const call = { prefix, requestId: asked.request_id, signature, unixTs, permissions: [] }
  expect((await redeem(handshake, call, LONG_AGO_MS)).token).to.be.a('string')
}

describe('a change of the master key', () => {
  it('refuses no sign-in before, during or after, even if it is killed between any two secrets', async function () {
    this.timeout(60_000)
    const disk: Disk = { log: createMemoryLog(), vault: createMemoryVault() }
    const held = await settle(await begin(disk, BEFORE))
    await expectNobodyRefused(await begin(disk, BEFORE), held)
    await expectNobodyRefused(await begin(disk, READY), held)
    let kills = 0
    for (let isWhole = false; !isWhole; ) {
      const [present, other] = [await begin(disk, AFTER), await begin(disk, READY)]
      for (const one of [present, other]) await expectNobodyRefused(one, held)
      const outcome = await reencrypt({ ...disk.vault, swap: oneSwapOf(disk.vault) }, AFTER).catch(() => null)
      isWhole = outcome?.isComplete === true
      if (!isWhole) kills += 1
    }
    const secrets = (await disk.vault.scan(null, 1_000)).length
    // Each process moves one; the last one has nothing left to die before.
    expect(kills).to.equal(secrets - 1)
    expect(secrets).to.be.above(9)
    await expectNobodyRefused(await begin(disk, AFTER), held)
    await expectNobodyRefused(await begin(disk, DROPPED), held)
  })
})

/** Takes one, and is dead from then on. */
function oneSwapOf(vault: VaultStore): VaultStore['swap'] {
  let left = 1
  return async (...args) => {
    left -= 1
    if (left < 0) throw new Error('killed')
    return vault.swap(...args)
  }
}
