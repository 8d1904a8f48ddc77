import { useState } from 'preact/hooks'
import type { Api, Bucket } from '../api.ts'
import { NoPermission, Shown } from '../components/states.tsx'
import { bytes, whole } from '../format.ts'
import { may } from '../session.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'
import { Explain } from './explain.tsx'
import { FileTable } from './file-table.tsx'
import { FolderTree } from './folder-tree.tsx'
import { RulesMatrix } from './rules-matrix.tsx'
import { UploadDrop } from './upload-drop.tsx'

interface BucketViewProps {
  readonly api: Api
  readonly bucket: string
  readonly path: string
  readonly onPath: (path: string) => void
}

const LIMIT = 100
const EVERY_MS = 5_000

/** A bucket: its quotas, its folders, and the content and rules of one folder. */
export function BucketView({ api, bucket, path, onPath }: BucketViewProps) {
  const [revision, setRevision] = useState(0)
  const [details, files, configure] = ['details', 'files', 'configure'].map((area) => `bkt:${bucket}:${area}`)
  const place = `${bucket} ${path} ${revision}`
  const quotas = useLoad(may(details ?? '') ? `bucket ${bucket} ${revision}` : null, () => api.bucket(bucket), {
    everyMs: EVERY_MS,
    keeps: true,
  })
  const list = useLoad(may(files ?? '') ? `list ${place}` : null, () => api.list(bucket, path, { limit: LIMIT }), {
    everyMs: EVERY_MS,
    keeps: true,
  })
  const mayRule = may(configure ?? '')
  const folder = useLoad(mayRule ? `rules ${place}` : null, () => api.folderRules(bucket, path))
  const changed = () => setRevision((before) => before + 1)
  return (
    <>
      {quotas.value !== null && <QuotaBars bucket={quotas.value} />}
      <div class="files">
        <FolderTree api={api} bucket={bucket} current={path} onChoose={onPath} revision={revision} />
        <div class="stack">
          <h2 class="wrap">
            <bdi>{path}</bdi>
          </h2>
          <UploadDrop api={api} bucket={bucket} folder={path} onUploaded={changed}>
            <Shown of={list}>
              {(listing) => (
                <FileTable api={api} bucket={bucket} listing={listing} onFolder={onPath} onChange={changed} />
              )}
            </Shown>
          </UploadDrop>
        </div>
      </div>
      <section class="panel" aria-label={texts.files.matrix}>
        <h2>{texts.files.matrix}</h2>
        {mayRule ? (
          <>
            <Shown of={folder}>
              {(ruled) => (
                <RulesMatrix key={JSON.stringify(ruled)} api={api} bucket={bucket} folder={ruled} onChange={changed} />
              )}
            </Shown>
            <h3>{texts.files.explanation}</h3>
            <Explain key={path} api={api} bucket={bucket} path={path} />
          </>
        ) : (
          <NoPermission needed={configure ?? ''} />
        )}
      </section>
    </>
  )
}

/** How much of a bucket's limits is used. */
function QuotaBars({ bucket }: { readonly bucket: Bucket }) {
  const { quotas } = texts.files
  return (
    <div class="facts panel">
      <Bar label={quotas.bytes} used={bucket.bytes_used} max={bucket.max_bytes} format={bytes} />
      <Bar label={quotas.files} used={bucket.files} max={bucket.max_files} format={whole} />
      <Bar
        label={quotas.downloads}
        used={bucket.downloaded_this_month}
        max={bucket.monthly_download_bytes}
        format={bytes}
      />
    </div>
  )
}

interface BarProps {
  readonly label: string
  readonly used: number
  readonly max: number
  readonly format: (value: number) => string
}

function Bar({ label, used, max, format }: BarProps) {
  return (
    <div>
      <div class="label">{label}</div>
      <meter aria-label={label} min={0} max={Math.max(1, max)} high={max * 0.9} value={used} />
      <div class="small number">{texts.files.quotas.of(format(used), format(max))}</div>
    </div>
  )
}
