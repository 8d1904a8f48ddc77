import { useEffect, useState } from 'preact/hooks'
import type { Api } from '../api.ts'
import { Name } from '../components/name.tsx'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

interface FolderTreeProps {
  readonly api: Api
  readonly bucket: string
  /** The folder that is shown. */
  readonly current: string
  readonly onChoose: (path: string) => void
}

const FOLDERS_MAX = 100

/** The folders of a bucket, read as they are opened. */
export function FolderTree(props: FolderTreeProps) {
  return (
    <nav class="tree" aria-label={texts.files.tree}>
      <ul>
        <TreeFolder {...props} path="/" />
      </ul>
    </nav>
  )
}

function TreeFolder({ path, ...props }: FolderTreeProps & { readonly path: string }) {
  const { api, bucket, current, onChoose } = props
  const isAbove = trail(current).includes(path)
  const [isOpen, setOpen] = useState(isAbove)
  useEffect(() => {
    if (isAbove) setOpen(true)
  }, [isAbove])
  const read = () => api.list(bucket, path, { limit: FOLDERS_MAX })
  const list = useLoad(isOpen ? `tree ${bucket} ${path}` : null, read, {
    keeps: true,
    tags: [`file:${bucket}`],
  })
  const folders = list.value?.folders ?? []
  const name = path === '/' ? texts.files.root : nameOf(path)
  return (
    <li>
      <div class="tree-row">
        <button
          type="button"
          class="quiet"
          aria-expanded={isOpen}
          aria-label={texts.files.expand(name)}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '▾' : '▸'}
        </button>
        <button
          type="button"
          class="quiet"
          aria-current={path === current ? 'true' : undefined}
          onClick={() => onChoose(path)}
        >
          <Name name={name} id={path} />
        </button>
      </div>
      {isOpen && folders.length > 0 && (
        <ul>
          {folders.map((folder) => (
            <TreeFolder key={folder.path} {...props} path={folder.path} />
          ))}
          {(list.value?.folder_count ?? 0) > folders.length && <li class="soft small">{texts.files.moreFolders}</li>}
        </ul>
      )}
    </li>
  )
}

/** Paths are absolute and end in `/`. A folder and those above it, the root first: `/a/b/` is `/`, `/a/`, `/a/b/`. */
function trail(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '')
  return ['/', ...names.map((_, at) => `/${names.slice(0, at + 1).join('/')}/`)]
}

const nameOf = (path: string): string =>
  path
    .split('/')
    .filter((name) => name !== '')
    .at(-1) ?? '/'
