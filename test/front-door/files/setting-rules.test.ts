// Setting rules over HTTP: all at once, by ETag, and for all folders below.

import { expect } from 'chai'
import { answerCode } from '../tenant.ts'
import { must } from '../world.ts'
import { type FilesFixture, OPEN_RULES, openFilesFixture } from './files-fixture.ts'

describe('setting the rules of folders', () => {
  let fixture: FilesFixture

  beforeEach(async () => {
    fixture = await openFilesFixture()
    await fixture.freshBucket()
  })

  const strict = { ...OPEN_RULES, create: 'nobody', mkdir: 'creator' }

  it('replaces all rules at once, answers them with an ETag, and honours If-Match', async () => {
    const set = await fixture.setRules('/', strict, OPEN_RULES)
    const read = await fixture.get(fixture.at('dir/rules/?path=/'))
    expect(read.body).to.deep.equal(set.body)
    expect([set.body.rules, set.body.child_rules]).to.deep.equal([strict, OPEN_RULES])
    expect(read.headers.etag).to.equal(set.headers.etag)
    const body = { path: '/', rules: OPEN_RULES, child_rules: null }
    const put = (tag: string) => fixture.put(fixture.at('dir/rules/'), body, { 'if-match': tag })
    must(await put(`"other", ${read.headers.etag}`), 200)
    expect(answerCode(await put(read.headers.etag ?? ''))).to.equal('412 precondition_failed')
    must(await put('*'), 200)
  })

  it('accepts one of two changes that name the same ETag', async () => {
    const { etag = '' } = (await fixture.get(fixture.at('dir/rules/?path=/'))).headers
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        fixture.put(fixture.at('dir/rules/'), { path: '/', rules: strict, child_rules: null }, { 'if-match': etag }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412, 412, 412, 412])
  })

  it('refuses rules that do not name all seven and the child rules with 400', async () => {
    const { create: _, ...six } = OPEN_RULES
    const put = (body: object) => fixture.put(fixture.at('dir/rules/'), { path: '/', ...body })
    for (const body of [
      { rules: six, child_rules: null },
      { rules: OPEN_RULES },
      { rules: { ...OPEN_RULES, other: 'nobody' }, child_rules: null },
      { rules: { ...OPEN_RULES, read: 'all' }, child_rules: null },
      { rules: OPEN_RULES, child_rules: six },
      { rules: OPEN_RULES, child_rules: null, apply_to_existing: 1 },
    ]) {
      expect(answerCode(await put(body)), JSON.stringify(body)).to.equal('400 malformed')
    }
  })

  it('resets every existing folder below with apply_to_existing, and none that is created or set later', async () => {
    const { ada } = fixture
    for (const path of ['/a/', '/a/b/', '/a/b/c/', '/z/']) must(await fixture.mkdir(path, ada.token), 201)
    must(await fixture.setRules('/a/b/', strict, OPEN_RULES), 200)
    const of = async (path: string) => {
      const { rules, child_rules } = must(await fixture.get(`${fixture.at('dir/rules/')}?path=${path}`), 200)
      return [rules, child_rules]
    }
    const child = { ...OPEN_RULES, read: 'player' }
    must(await fixture.setRules('/a/', OPEN_RULES, child, true), 200)
    expect(await of('/a/')).to.deep.equal([OPEN_RULES, child])
    expect(await of('/a/b/')).to.deep.equal([child, null])
    expect(await of('/a/b/c/')).to.deep.equal([child, null])
    expect(await of('/z/')).to.deep.equal([OPEN_RULES, null])
    must(await fixture.mkdir('/a/b/d/', ada.token), 201)
    expect(await of('/a/b/d/')).to.deep.equal([child, null])
    must(await fixture.setRules('/a/b/', strict), 200)
    expect([await of('/a/b/'), await of('/a/b/c/')]).to.deep.equal([
      [strict, null],
      [child, null],
    ])
    must(await fixture.setRules('/', strict, null, true), 200)
    for (const path of ['/a/', '/a/b/', '/a/b/c/', '/a/b/d/', '/z/']) {
      expect(await of(path), path).to.deep.equal([strict, null])
    }
  })
})
