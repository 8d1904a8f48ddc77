// The types of the packed client: games compile with them from TypeScript 5.0 on, also where the types of libraries are
// checked, and an editor shows a text for each call.

import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { builtPackages } from '../../generated/packages.ts'
import { installClient } from './installed.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const COMPILERS = [
  ['5.0', 'nodenext', 'nodenext'],
  ['5.4', 'esnext', 'bundler'],
] as const
/** Files of the package whose calls games and servers see. */
const SHOWN = ['connect', 'game-client', 'outbox', 'player', 'rooms', 'scores', 'webhooks']

/** What this test uses of TypeScript's parser. */
interface Parser {
  readonly ScriptTarget: { readonly ES2022: number }
  createSourceFile(name: string, text: string, target: number, setParents: boolean): Node
  forEachChild(node: Node, visit: (child: Node) => void): void
  isMethodSignature(node: Node): boolean
  isFunctionDeclaration(node: Node): boolean
  getJSDocCommentsAndTags(node: Node): readonly unknown[]
}
interface Node {
  readonly name?: { readonly text: string }
}

describe('the types of the packed client', function () {
  this.timeout(120_000)
  let folder: string
  let typescripts: string
  before(async () => {
    typescripts = await builtPackages('scorebook-typescripts', here('types/package.json'))
    folder = await mkdtemp(join(tmpdir(), 'scorebook-types-'))
    await installClient(folder)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await cp(here('types/program.mts'), join(folder, 'program.mts'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  for (const [version, module, moduleResolution] of COMPILERS) {
    it(`compile a game with TypeScript ${version} for ${moduleResolution}, with the libraries checked`, async () => {
      const checks = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', '--noEmit']
      const target = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable']
      const loader = ['--module', module, '--moduleResolution', moduleResolution]
      const tsc = join(typescripts, `typescript-${version}/bin/tsc`)
      const failed = (error: Error & { stdout?: string }) => ({ stdout: error.stdout ?? error.message })
      const args = [tsc, ...checks, ...target, ...loader, 'program.mts']
      expect((await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(failed)).stdout).to.equal('')
    })
  }

  it('have a text for each call', async () => {
    const ts = createRequire(import.meta.url)(join(typescripts, 'typescript-5.4')) as Parser
    const mute: string[] = []
    let calls = 0
    for (const name of SHOWN) {
      const text = await readFile(join(folder, `node_modules/@scorebook/client/dist/${name}.d.ts`), 'utf8')
      const visit = (node: Node): void => {
        if (ts.isMethodSignature(node) || ts.isFunctionDeclaration(node)) {
          calls += 1
          if (ts.getJSDocCommentsAndTags(node).length === 0) mute.push(`${name}: ${node.name?.text}`)
        }
        ts.forEachChild(node, visit)
      }
      visit(ts.createSourceFile(`${name}.d.ts`, text, ts.ScriptTarget.ES2022, true))
    }
    expect(mute).to.deep.equal([])
    expect(calls).to.be.greaterThan(30)
  })
})
