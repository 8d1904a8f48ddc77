import { useState } from 'preact/hooks'
import { ActionButton } from '../components/action-button.tsx'
import { SelectField } from '../components/fields.tsx'
import { PageHead } from '../components/page-head.tsx'
import { Empty, NoPermission, Shown } from '../components/states.tsx'
import { CreateBucket } from '../files/bucket-form.tsx'
import { BucketView } from '../files/bucket-view.tsx'
import { go } from '../navigation.ts'
import { chosenText } from '../parameters.ts'
import { to } from '../routes.ts'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useAddress } from '../use-address.ts'
import { useLoad } from '../use-load.ts'

const SHOWN = { bucket: chosenText(), path: chosenText() }

/** The buckets of the game. Bucket and folder are part of the address. */
export function FilesPage({ session: { api, game } }: { readonly session: Session }) {
  const [shown] = useAddress(SHOWN)
  const [isCreating, setCreating] = useState(false)
  const needed = `gm:${game ?? '<game>'}:buckets`
  const isPermitted = game !== null && may(needed)
  const buckets = useLoad(isPermitted ? 'buckets' : null, async () => (await api.buckets(game ?? '')).buckets, {
    tags: ['bucket'],
    keeps: true,
  })
  const bucket = shown.bucket === '' ? buckets.value?.[0]?.id : shown.bucket
  const path = shown.path === '' ? '/' : shown.path
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
      <PageHead title={texts.pages.files} about={texts.files.about} call={isPermitted ? call : undefined}>
        {game !== null && may(`gm:${game}:configure`) && (
          <ActionButton onAct={() => setCreating(true)}>{texts.files.create}</ActionButton>
        )}
      </PageHead>
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
      {isCreating && game !== null && (
        <CreateBucket
          api={api}
          game={game}
          onCreated={({ id }) => go(to.page('files', { bucket: id }))}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  )
}
