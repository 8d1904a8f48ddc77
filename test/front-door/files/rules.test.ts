// The rule matrix: seven rules, four levels and five callers on every endpoint with rules, compared with the model. A
// forbidden path is answered with exactly the bytes of a missing one.

import { expect } from 'chai'
import { keyToken } from '../game-fixtures.ts'
import type { Answered } from '../http-client.ts'
import { answerCode } from '../tenant.ts'
import { must } from '../world.ts'
import { type FilesFixture, OPEN_RULES, openFilesFixture } from './files-fixture.ts'

const RULES = ['list_folders', 'list_files', 'mkdir', 'create', 'read', 'overwrite', 'delete'] as const
type Rule = (typeof RULES)[number]
const LEVELS = ['nobody', 'creator', 'player', 'anyone'] as const
type Level = (typeof LEVELS)[number]
const CALLERS = ['admin', 'server key', 'creator', 'other player', 'no player'] as const
type CallerName = (typeof CALLERS)[number]
const YES = { admin: true, 'server key': true, creator: true, 'other player': true, 'no player': true }
const NO = { admin: true, 'server key': false, creator: false, 'other player': false, 'no player': false }

/** The caller `creator` created the folder and the files. */
const ADMITTED: Readonly<Record<Level, Readonly<Record<CallerName, boolean>>>> = {
  nobody: NO,
  creator: { ...NO, creator: true },
  player: { ...NO, creator: true, 'other player': true },
  anyone: YES,
}

/** One rule at the given level, the other six at `nobody`. */
function onlyRule(rule: Rule, level: Level): Record<Rule, Level> {
  const none = Object.fromEntries(RULES.map((one) => [one, 'nobody'])) as Record<Rule, Level>
  return { ...none, [rule]: level }
}

const ALL_OPEN = { ...OPEN_RULES, mkdir: 'anyone', create: 'anyone', overwrite: 'anyone', delete: 'anyone' }

describe('the rules of folders', () => {
  let fixture: FilesFixture
  let tokens: Record<CallerName, string>
  let missing: string

  const withoutId = ({ text, body }: Answered) => text.replace(body.request_id, '')

  before(async () => {
    fixture = await openFilesFixture()
    await fixture.freshBucket({ player_max_files: 10_000 }, ALL_OPEN)
    const { world, game, client, ada, bob } = fixture
    const serverKey = await keyToken(world, game, { permissions: ['bkt:*:files'] })
    tokens = {
      admin: game.token,
      'server key': serverKey,
      creator: ada.token,
      'other player': bob.token,
      'no player': client,
    }
    missing = withoutId(await fixture.file('/none', client))
  })

  for (const rule of RULES) {
    for (const level of LEVELS) {
      it(`lets the callers of level ${level} and the tenant, and nobody else, ${rule}`, async () => {
        const { ada } = fixture
        const folder = `/${rule}-${level}/`
        must(await fixture.mkdir(folder, ada.token), 201)
        must(await fixture.mkdir(`${folder}inside/`, ada.token), 201)
        must(await fixture.upload(`${folder}file`, 'abc', ada.token), 200)
        const uploads = new Map<CallerName, string>()
        for (const [n, caller] of CALLERS.entries()) {
          must(await fixture.upload(`${folder}doomed${n}`, 'abc', ada.token), 200)
          const newUpload = must(await fixture.begin(`${folder}begun${n}`, 1, tokens[caller]), 201)
          expect(await fixture.world.files.send(newUpload, Buffer.from('x'))).to.equal('stored')
          uploads.set(caller, newUpload.upload_id)
        }
        must(await fixture.setRules(folder, onlyRule(rule, level)), 200)

        for (const [n, caller] of CALLERS.entries()) {
          const token = tokens[caller]
          const isAdmitted = (needed: string) => caller === 'admin' || (needed === rule && ADMITTED[level][caller])
          const list = await fixture.ls(folder, token)
          const shown = list.status === 200 ? [list.body.folders !== null, list.body.files !== null] : list.status
          expect([caller, shown]).to.deep.equal([
            caller,
            isAdmitted(rule) ? [isAdmitted('list_folders'), isAdmitted('list_files')] : 404,
          ])
          const calls: [needed: string, ok: number, answer: Answered][] = [
            ['mkdir', 201, await fixture.mkdir(`${folder}made${n}/`, token)],
            ['create', 201, await fixture.begin(`${folder}new${n}`, 1, token)],
            ['overwrite', 201, await fixture.begin(`${folder}file`, 1, token)],
            ['create', 200, await fixture.complete(uploads.get(caller) ?? '', token)],
            ['read', 200, await fixture.file(`${folder}file`, token)],
            ['read', 200, await fixture.download(`${folder}file`, token)],
            ['delete', 200, await fixture.unlink(`${folder}doomed${n}`, token)],
          ]
          for (const [needed, ok, answer] of calls) {
            const due = isAdmitted(needed) ? ok : 404
            expect([caller, needed, answer.status], answer.text).to.deep.equal([caller, needed, due])
            if (due === 404) expect(withoutId(answer)).to.equal(missing)
          }
          if (list.status === 404) expect(withoutId(list)).to.equal(missing)
        }
      })
    }
  }

  it('shows players who may create files their own ones, where files are listed to the creator only', async () => {
    const { ada, bob, client } = fixture
    must(await fixture.mkdir('/own/', ada.token), 201)
    for (const [name, token] of [
      ['a', ada.token],
      ['b', bob.token],
      ['c', bob.token],
    ] as const) {
      must(await fixture.upload(`/own/${name}`, name, token), 200)
    }
    must(await fixture.setRules('/own/', { ...OPEN_RULES, list_files: 'creator' }), 200)
    const names = async (token: string, query = '') => {
      const { files, file_count } = must(await fixture.ls('/own/', token, query), 200)
      return files === null ? [null, file_count] : [files.map((one: { name: string }) => one.name), file_count]
    }
    expect(await names(ada.token)).to.deep.equal([['a', 'b', 'c'], 3])
    expect(await names(bob.token)).to.deep.equal([['b', 'c'], 2])
    expect(await names(bob.token, '&offset=1')).to.deep.equal([['c'], 2])
    expect(await names(client)).to.deep.equal([null, null])
    must(await fixture.setRules('/own/', { ...OPEN_RULES, list_files: 'creator', create: 'nobody' }), 200)
    expect(await names(bob.token)).to.deep.equal([null, null])
  })

  it('opens a folder by its path although the list above it hides the folder', async () => {
    const { ada, client } = fixture
    must(await fixture.mkdir('/hidden/', ada.token), 201)
    must(await fixture.mkdir('/hidden/in/', ada.token), 201)
    must(await fixture.setRules('/hidden/', onlyRule('read', 'nobody')), 200)
    expect(answerCode(await fixture.ls('/hidden/', client))).to.equal('404 not_found')
    expect((await fixture.ls('/hidden/in/', client)).status).to.equal(200)
  })

  it('answers 404 to players whom only their own files would admit, while they have none', async () => {
    const { ada, bob } = fixture
    must(await fixture.mkdir('/mine/', ada.token), 201)
    must(await fixture.upload('/mine/b', 'b', bob.token), 200)
    must(await fixture.setRules('/mine/', onlyRule('read', 'creator')), 200)
    const { folders, files } = must(await fixture.ls('/mine/', bob.token), 200)
    expect([folders, files]).to.deep.equal([null, null])
    expect((await fixture.ls('/mine/', ada.token)).status).to.equal(404)
  })

  it('explains level, verdict, folder and reason to the tenant', async () => {
    const { ada, bob, client } = fixture
    must(await fixture.mkdir('/explained/', ada.token), 201)
    must(await fixture.upload('/explained/f', 'f', ada.token), 200)
    const rules = { ...OPEN_RULES, mkdir: 'creator', create: 'nobody', read: 'creator' }
    must(await fixture.setRules('/explained/', rules), 200)
    const explain = (query: string, token?: string) => fixture.get(fixture.at(`explain/?path=${query}`), token)
    const explained = must(await explain(`/explained/f&player=${bob.id}`), 200)
    expect({ ...explained, rules: null }).to.deep.equal({
      path: '/explained/f',
      player: bob.id,
      folder: '/explained/',
      exists: true,
      rules: null,
    })
    const verdicts = (rows: { rule: string; level: string; admitted: boolean }[]) =>
      rows.map(({ rule, level, admitted }) => `${rule} ${level} ${admitted}`)
    expect(verdicts(explained.rules)).to.deep.equal([
      'list_folders anyone true',
      'list_files anyone true',
      'mkdir creator false',
      'create nobody false',
      'read creator false',
      'overwrite creator false',
      'delete creator false',
    ])
    const own = must(await explain(`/explained/f&player=${ada.id}`), 200)
    expect(verdicts(own.rules).filter((row) => row.endsWith('false'))).to.deep.equal(['create nobody false'])
    expect(must(await explain('/explained/'), 200)).to.include({ player: null, exists: true })
    expect(must(await explain('/explained/none'), 200)).to.include({ exists: false })
    expect((await explain('/none/x')).status).to.equal(404)
    expect(answerCode(await explain('/explained/&player=nobody'))).to.equal('422 unknown_player')
    expect(answerCode(await explain('/explained/', client))).to.equal('403 tenant_only')
  })
})
