import '#client/kit/styles/mantine-pages.css'
import { Menu } from '@mantine/core'
import { IconUsersMinus } from '@tabler/icons-react'
import { notify } from '#client/platform/notify.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { leads } from './squad-words.ts'

type TakeOutItemProps = { video: Video; squad: NonNullable<Video['squad']> }

/** Lets leaders of the squad take out another member's video. */
export function TakeOutItem({ video: { id: videoId, title }, squad: { id } }: TakeOutItemProps) {
  const utils = trpc.useUtils()
  const mine = trpc.squad.mine.useQuery()
  const takeOut = trpc.squad.removeVideo.useMutation({
    onSuccess: async () => {
      notify({ title: 'Taken out of the squad', message: title })
      await Promise.all([utils.squad.invalidate(), utils.video.invalidate()])
    },
    onError: notifyFailure('The video could not be taken out'),
  })
  if (!mine.data?.joined.some((squad) => squad.id === id && leads(squad))) return null
  return (
    <Menu.Item
      leftSection={<IconUsersMinus size={20} stroke={1.75} aria-hidden />}
      onClick={() => takeOut.mutate({ id, videoId })}
    >
      Take out of the squad
    </Menu.Item>
  )
}
