// Checks the modules of docs/architecture.md: each imports only what its row of allowed-imports.ts names.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { FREE, MAY } from './allowed-imports.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const SOURCES = [...new Set([...FREE, ...Object.keys(MAY).map((module) => module.split('/')[0] ?? '')])]
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g

function allBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.name === 'dist' || entry.name === 'node_modules') return []
    return entry.isDirectory() ? allBelow(path) : [path]
  })
}

const filesBelow = (folder: string): string[] => allBelow(folder).filter((path) => /\.tsx?$/.test(path))

const moduleOf = (file: string): string | undefined =>
  Object.keys(MAY).find((module) => file === module || file.startsWith(`${module}/`))

/** What a file imports: paths from the root for its own, package names (with scope) for others. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(IMPORT)].map(([, from, bare, dynamic]) => {
    const target = from ?? bare ?? dynamic ?? ''
    if (target.startsWith('.')) return relative(ROOT, join(ROOT, dirname(file), target))
    if (target.startsWith('node:')) return 'node:'
    return target
      .split('/')
      .slice(0, target.startsWith('@') ? 2 : 1)
      .join('/')
  })
}

describe('architecture', () => {
  it('lets each module import only what its row names', () => {
    const files = SOURCES.flatMap(filesBelow)
    const withoutModule = files.filter(
      (file) => moduleOf(file) === undefined && !FREE.includes(file.split('/')[0] ?? ''),
    )
    expect(withoutModule).to.deep.equal([])
    const trespasses = files.flatMap((file) => {
      const module = moduleOf(file)
      if (module === undefined) return []
      const allowed = [module, ...(MAY[module] ?? [])]
      return importsOf(file)
        .filter((target) => !allowed.some((one) => target === one || target.startsWith(`${one}/`)))
        .map((target) => `${file} imports ${target}`)
    })
    expect(files.length).to.be.greaterThan(60)
    expect(trespasses).to.deep.equal([])
  })

  it('has no cycle of imports, of types neither', () => {
    const files = SOURCES.flatMap(filesBelow)
    const imports = new Map(files.map((file) => [file, importsOf(file)]))
    const done = new Set<string>()
    /** The first cycle that going on from this path meets; null where there is none. */
    const cycleFrom = (path: readonly string[]): readonly string[] | null => {
      const file = path.at(-1) ?? ''
      const met = path.indexOf(file)
      if (met < path.length - 1) return path.slice(met)
      if (done.has(file)) return null
      for (const target of imports.get(file) ?? []) {
        const cycle = cycleFrom([...path, target])
        if (cycle !== null) return cycle
      }
      done.add(file)
      return null
    }
    for (const file of files) expect(cycleFrom([file])).to.equal(null)
  })

  it('has its sources in modules, each named in its document', () => {
    expect(readdirSync(ROOT).filter((name) => name.endsWith('.ts'))).to.deep.equal([])
    const modules = readdirSync(ROOT, { withFileTypes: true })
      .filter(
        (entry) =>
          entry.isDirectory() &&
          !/^(\..*|deploy|dist|docs|examples|node_modules|data|reports|site|test|tools)$/.test(entry.name),
      )
      .map(({ name }) => name)
    expect(modules.toSorted()).to.deep.equal(SOURCES.toSorted())
    const document = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
    const named = [...Object.keys(MAY), ...FREE].map((module) => `\`${module}/\``)
    expect(named.filter((name) => !document.includes(name))).to.deep.equal([])
  })

  it('has no file with the marks of a merge that was not finished', () => {
    const files = [
      ...[...SOURCES, 'docs', 'deploy', 'test'].flatMap((folder) => allBelow(folder)),
      ...readdirSync(ROOT),
    ]
    const texts = files.filter((file) => /\.(tsx?|js|css|html|md|json|yaml|conf|sh)$/.test(file))
    const marked = texts.filter((file) => /^(<{7}|>{7}) /m.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(texts).to.include.members(['docs/decisions/README.md', 'docs/architecture.md'])
    expect(marked).to.deep.equal([])
  })

  it('takes the environment from the process in one place', () => {
    const takers = SOURCES.filter((module) => module !== 'bench')
      .flatMap(filesBelow)
      .filter((file) => /\bprocess\.env\b|\bterminalOf\(process\)/.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(takers).to.deep.equal(['cli/main.ts'])
  })

  it('keeps the reading list under 500 lines', () => {
    const document = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
    const list = [...document.matchAll(/^\d\. `([^`]+)`:/gm)].map(([, file = '']) => file)
    expect(list).to.include.members(['domain/decider.ts', 'projections/keys.ts', 'reactions/react.ts'])
    const lines = list.map((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length)
    expect(lines.reduce((sum, one) => sum + one, 0)).to.be.at.most(500)
  })
})
