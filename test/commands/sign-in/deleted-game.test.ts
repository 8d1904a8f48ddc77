// Secrets that a call stores before it records what they are for: where the game is deleted in between, none is left.

import { expect } from 'chai'
import { createHandler } from '../../../commands/handle.ts'
import { issue } from '../../../commands/key.ts'
import { refuseDeleted } from '../../../commands/refuse-deleted.ts'
import { signInByCode } from '../../../commands/sign-in/code.ts'
import { newGuest } from '../../../commands/sign-in/guest.ts'
import { mailCode } from '../../../commands/sign-in/mail-code.ts'
import { registerPlayer } from '../../../commands/sign-in/register.ts'
import type { SignInDeps } from '../../../commands/sign-in/sign-in-deps.ts'
import type { Vault } from '../../../stores/contract/vault.ts'
import { DeletedGames, hideInLog } from '../../../stores/log-decorators/hiding/deleted-games.ts'
import { asked, contextAt, GAME, LONG_AGO_MS, NETWORK, NOBODY, REGISTRATION, signInRig } from './sign-in-rig.ts'

/** `known`: the node learns of the deletion. `hidden`: the removal has begun. */
type Stage = 'known' | 'hidden'

/** The game is deleted once so many secrets are stored. */
function rig(stage: Stage, storedBefore: number) {
  const { log: inner, vault: kept, deps: made, mails } = signInRig()
  const deleted = new DeletedGames()
  const log = hideInLog(inner, deleted)
  const stored: string[] = []
  const vault: Vault = {
    ...kept,
    putIfAbsent: async (kind, id, value) => {
      const put = await kept.putIfAbsent(kind, id, value)
      stored.push(kind)
      if (stored.length === storedBefore) stage === 'known' ? deleted.add(GAME) : deleted.hide(GAME)
      return put
    },
  }
  const handler = createHandler(log)
  const commands = { log, vault, handler: stage === 'known' ? refuseDeleted(handler, deleted.has) : handler }
  const deps: SignInDeps = { ...made, ...commands }
  const left = async () => (await kept.scan(null, 100)).map(({ kind }) => kind)
  return { deps, stored, left, mails }
}

const KEY = { game: GAME, name: 'k', kind: 'server', algorithm: 'hmac-sha256', permissions: [] } as const
const CALLER = { key: 'ck_x', permissions: [] }

const CALLS = {
  'an API key': { stores: ['key-secret'], call: ({ deps }: ReturnType<typeof rig>) => issue(deps, KEY, contextAt()) },
  'a new guest': {
    stores: ['guest-token', 'refresh-token', 'player-key'],
    call: ({ deps }: ReturnType<typeof rig>) =>
      newGuest(deps, { game: GAME, name: 'Ada', caller: CALLER }, contextAt()),
  },
  'a registration': {
    stores: ['password', 'login', 'email'],
    call: ({ deps }: ReturnType<typeof rig>) =>
      registerPlayer(
        deps,
        { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: 'ada@example.com' } },
        contextAt(),
      ),
  },
  'a sign-in by a mailed code': {
    stores: ['email'],
    call: async ({ deps, mails }: ReturnType<typeof rig>) => {
      await mailCode(deps, asked('ada@example.com'), LONG_AGO_MS)
      const code = mails[0]?.code ?? ''
      return signInByCode(deps, GAME, { email: 'ada@example.com', code, network: NETWORK, signedIn: null }, contextAt())
    },
  },
}

describe('a call whose game is deleted after it stored secrets', () => {
  for (const [name, { stores, call }] of Object.entries(CALLS)) {
    for (const stage of ['known', 'hidden'] as const) {
      it(`to ${name} answers 404 and leaves no secret if the deletion is ${stage}`, async () => {
        const world = rig(stage, stores.length)
        const refused: unknown = await call(world).catch((error: unknown) => error)
        expect(refused).to.include({ code: 'game_not_found' })
        expect(world.stored).to.deep.equal(stores)
        expect(await world.left()).to.deep.equal([])
      })
    }
  }
})
