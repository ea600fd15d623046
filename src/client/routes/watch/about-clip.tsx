import { IconCut, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useState } from 'react'
import { row, wrapped } from '#client/kit/layout/layout.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { ChannelRow } from '../../browse/subscription/channel-row.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { RowMenu } from '../../kit/menu/row-menu.tsx'
import type { RowMenuItem } from '../../kit/menu/row-menu-item.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { ClipFacts } from '../../watch/clip/clip-facts.tsx'
import { ClipLike } from '../../watch/clip/clip-like.tsx'
import { ClipSource } from '../../watch/clip/clip-source.tsx'
import { useSaveClip } from '../../watch/clip/use-save-clip.tsx'
import { ShareButton } from '../../watch/player/share-button.tsx'
import type { PlayerHandle } from '../../watch/player/video-player.tsx'
import { useWatchTogether } from '../../watch/watch-room/use-watch-together.ts'
import { ClipsAround } from './clips-around.tsx'
import { ClipsOfVideo } from './clips-of-video.tsx'
import { CommentsButton } from './comments-button.tsx'
import { ReactionPlace } from './reaction-place.tsx'
import classes from './watch-page.module.css'
import { Watching } from './watching.tsx'

const ShareDialog = lazyPart(() => import('#client/kit/sharing/share-dialog.tsx'))
const RenameClipDialog = lazyPart(() => import('../../watch/clip/rename-clip-dialog.tsx'))
const ClipEndsDialog = lazyPart(() => import('../../watch/clip/clip-ends-dialog.tsx'))
const DeleteClipDialog = lazyPart(() => import('../../watch/clip/delete-clip-dialog.tsx'))

type AboutClipProps = { clip: Clip; player: RefObject<PlayerHandle | null> }

export function AboutClip({ clip, player }: AboutClipProps) {
  const { id, title, video } = clip
  const viewer = useSession()
  const navigate = useNavigate()
  const [embedAt, setEmbedAt] = useState<number>()
  const [opened, setOpened] = useState<'rename' | 'ends' | 'delete'>()
  const close = () => setOpened(undefined)
  const askToDelete = () => {
    // The last report of watched time needs the mounted clip.
    player.current?.player.pause()
    setOpened('delete')
  }
  const leave = () => void navigate({ to: '/video/$id', params: { id: String(video.id) } })
  const duration = clip.endSeconds - clip.startSeconds
  const ends = { label: 'Adjust start and end', Icon: IconCut, onPress: () => setOpened('ends') }
  const edits: RowMenuItem[] = [
    { label: 'Rename', Icon: IconPencil, onPress: () => setOpened('rename') },
    ...(clip.canChangeRange ? [ends] : []),
    { label: 'Delete', Icon: IconTrash, isDanger: true, onPress: askToDelete },
  ]
  const together = useWatchTogether(
    { clipId: id },
    { isSignedIn: viewer !== null, time: () => player.current?.time() ?? 0 },
  )
  const saves = useSaveClip(clip, viewer?.id)
  const items = [together, ...saves, ...(clip.canEdit ? edits : [])]
  return (
    <>
      {embedAt !== undefined && (
        <ShareDialog
          video={{ ...video, title, duration }}
          clip={clip}
          isSignedIn={viewer !== null}
          canSend={viewer !== null}
          atSeconds={embedAt}
          links="none"
          onClose={() => setEmbedAt(undefined)}
        />
      )}
      {opened === 'rename' && <RenameClipDialog clip={clip} onClose={close} />}
      {opened === 'ends' && <ClipEndsDialog clip={clip} onClose={close} />}
      {opened === 'delete' && <DeleteClipDialog clip={clip} onDeleted={leave} onClose={close} />}
      <PageTitle title={title} />
      {viewer !== null && <ReactionPlace video={video} startSeconds={clip.startSeconds} />}
      <h1 className={classes.title}>{title}</h1>
      <ClipFacts clip={clip}>
        <Watching videoId={video.id} viewer={viewer} />
      </ClipFacts>
      <div className={row([12, 24], 'wrap', 'between')}>
        <ChannelRow channel={video.channel} viewerId={viewer?.id} />
        <div className={`${wrapped(8)} ${classes.actions}`}>
          <ClipLike clip={clip} isSignedIn={viewer !== null} />
          <CommentsButton video={video} clipId={id} seconds={duration} />
          <ShareButton
            {...{ title, player }}
            path={`/clip/${id}`}
            hasLinks={false}
            canSend={viewer !== null}
            onEmbed={setEmbedAt}
          />
          <RowMenu label="More actions" items={items} />
        </div>
      </div>
      <ClipSource clip={clip} />
      <ClipsOfVideo videoId={video.id} currentId={id} />
      <ClipsAround id={id} category={video.category} />
    </>
  )
}
