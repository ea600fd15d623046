import { Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconPlayerPlayFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyField } from '#client/kit/control/copy-field.tsx'
import { Disclosure } from '#client/kit/control/disclosure.tsx'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { look, stack } from '#client/kit/layout/layout.ts'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { LINK_COPIED } from '#client/platform/video/share-link.ts'
import { trpc } from '#client/trpc.ts'
import type { SharePreview as Preview, ShareProblem } from '#shared/schemas/sharing.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { ShareLinks } from './share-links.tsx'
import classes from './share-preview.module.css'

const pictureLook = look(
  'centred',
  'fullWidth',
  'relative',
  'rounded',
  'clipped',
  'skeletonGround',
  'note',
)

type SharePreviewProps = { videoId: number; onClose: () => void }

/** In Discord, X and iMessage, with reasons against a good preview. */
export default function SharePreview({ videoId, onClose }: SharePreviewProps) {
  const preview = trpc.sharing.preview.useQuery({ id: videoId }, { staleTime: 0 })
  return (
    <Dialog title="Share preview" size={760} isSpaced onClose={onClose}>
      {preview.isPending && (
        <div role="status" aria-label="Loading the preview">
          <Skeleton height={320} radius="lg" />
        </div>
      )}
      {preview.isError && !preview.data && (
        <LoadError error={preview.error} onRetry={() => void preview.refetch()} />
      )}
      {preview.data && <PreviewContent preview={preview.data} />}
      <ShareLinks videoId={videoId} isOwn />
    </Dialog>
  )
}

function PreviewContent({ preview }: { preview: Preview }) {
  const { card, problems, tags, url } = preview
  return (
    <>
      <Problems problems={problems} />
      <div className={classes.cards}>
        <Figure caption="Discord" note={noteOf(card)}>
          <div className={`${classes.discord} ${stack(4, 'pad12', 'rounded', 'surface')}`}>
            <p className={look('oneLine', 'fine')}>{card.siteName}</p>
            <p className={`${look('twoLines', 'strong', 'size13')} ${classes.title}`}>
              {card.title}
            </p>
            {!card.playsFile && card.description && (
              <p className={classes.text}>{card.description}</p>
            )}
            <Shown card={card} plays={card.playsFile} />
          </div>
        </Figure>
        <Figure
          caption="X"
          note={
            card.playsPage && url.startsWith('https:') ? 'Plays in the post' : 'Shows a picture'
          }
        >
          <div className={`${classes.x} ${look('card', 'clipped', 'bordered')}`}>
            <Shown card={card} plays={card.playsPage && url.startsWith('https:')} />
            <div className={look('pad8x12', 'ruleAbove')}>
              <p className={look('oneLine', 'fine')}>{card.host}</p>
              <p className={look('oneLine', 'size13')}>{card.title}</p>
            </div>
          </div>
        </Figure>
        <Figure caption="iMessage" note={noteOf(card)}>
          <div className={classes.message}>
            <Shown card={card} plays={card.playsFile} />
            <div className={look('pad8x12')}>
              <p className={`${look('twoLines', 'strong', 'size13')} ${classes.title}`}>
                {card.title}
              </p>
              <p className={look('oneLine', 'fine')}>{card.host}</p>
            </div>
          </div>
        </Figure>
      </div>
      <CopyField label="Link" text={url} message={LINK_COPIED} />
      {tags.length > 0 && <Tags tags={tags} />}
    </>
  )
}

function Problems({ problems }: { problems: ShareProblem[] }) {
  if (problems.length === 0) {
    return (
      <p className={`${classes.fine} ${look('accentColor')}`}>
        <IconCircleCheck size={20} aria-hidden />
        No problems found.
      </p>
    )
  }
  return (
    <ul className={classes.problems} aria-label="Problems">
      {problems.map(({ code, sentence }) => (
        <li key={code}>
          <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
          <span>{sentence}</span>
        </li>
      ))}
    </ul>
  )
}

/** Describes the preview in a program that plays files. */
function noteOf({ playsFile, fileBytes }: Preview['card']): string {
  if (!playsFile) return 'Shows a picture'
  return fileBytes === null ? 'Plays the video' : `Plays a file of ${formatBytes(fileBytes)}`
}

type FigureProps = { caption: string; note: string; children: ReactNode }

function Figure({ caption, note, children }: FigureProps) {
  return (
    <figure className={`${classes.figure} ${stack(8, 'shrink')}`}>
      <figcaption>
        {caption} <span className={look('fine')}>{note}</span>
      </figcaption>
      {children}
    </figure>
  )
}

/** Picture of the card, with a play icon. */
function Shown({ card, plays }: { card: Preview['card']; plays: boolean }) {
  const { thumbnailUrl, width, height } = card
  // Tall videos have a box of their own shape, up to a limit.
  const style = { aspectRatio: String(Math.max(width / height, 0.8)) }
  return (
    <div className={`${classes.picture} ${pictureLook}`} style={style}>
      {thumbnailUrl ? <img src={thumbnailUrl} alt="" /> : <span>No picture</span>}
      {plays && (
        <span
          className={`${classes.plays} ${look('centred', 'pill', 'scrim')}`}
          role="img"
          aria-label="Plays inside the message"
        >
          <IconPlayerPlayFilled size={20} />
        </span>
      )}
    </div>
  )
}

function Tags({ tags }: { tags: Preview['tags'] }) {
  return (
    <Disclosure label={`What the page tells them: ${tags.length} tags`}>
      <dl className={`${classes.tags} ${stack(0, 'size12')}`}>
        {tags.map(({ name, content }) => (
          <div key={`${name} ${content}`}>
            <dt>{name}</dt>
            <dd>{content}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  )
}
