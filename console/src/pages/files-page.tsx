import { SelectField } from '../components/fields.tsx'
import { PageHead } from '../components/page-head.tsx'
import { Empty, NoPermission, Shown } from '../components/states.tsx'
import { BucketView } from '../files/bucket-view.tsx'
import { currentSearch, go } from '../navigation.ts'
import { to } from '../routes.ts'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

/** The buckets of the game. Bucket and folder are part of the address. */
export function FilesPage({ session: { api, game } }: { readonly session: Session }) {
  const needed = `gm:${game ?? '<game>'}:buckets`
  const isPermitted = game !== null && may(needed)
  const buckets = useLoad(isPermitted ? 'buckets' : null, async () => (await api.buckets(game ?? '')).buckets)
  const search = currentSearch()
  const bucket = search.get('bucket') ?? buckets.value?.[0]?.id
  const path = search.get('path') ?? '/'
  const call =
    bucket === undefined
      ? { method: 'GET' as const, path: `/api/gm/${game}/buckets/`, typescript: program('buckets', [game]) }
      : {
          method: 'GET' as const,
          path: `/api/bkt/${encodeURIComponent(bucket)}/ls/?path=${encodeURIComponent(path)}`,
          typescript: program('list', [bucket, path]),
        }
  return (
    <>
      <PageHead title={texts.pages.files} about={texts.files.about} call={isPermitted ? call : undefined} />
      {!isPermitted && <NoPermission needed={needed} />}
      {isPermitted && (
        <Shown of={buckets}>
          {(list) =>
            bucket === undefined ? (
              <Empty title={texts.files.none}>
                <p>{texts.files.noneAbout}</p>
              </Empty>
            ) : (
              <>
                <div class="fields narrow">
                  <SelectField
                    label={texts.files.bucket}
                    value={bucket}
                    options={list.map(({ id, name }) => ({ value: id, text: name }))}
                    onValue={(id) => go(to.page('files', { bucket: id }))}
                  />
                </div>
                <BucketView
                  key={bucket}
                  api={api}
                  bucket={bucket}
                  path={path}
                  onPath={(folder) => go(to.page('files', { bucket, path: folder }))}
                />
              </>
            )
          }
        </Shown>
      )}
    </>
  )
}
