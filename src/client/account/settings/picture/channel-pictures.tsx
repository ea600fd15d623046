import type { ReactNode } from 'react'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import classes from './channel-pictures.module.css'
import { PictureField } from './picture-field.tsx'

type ChannelPicturesProps = {
  user: OwnUser
  /** Undefined until the server's limit is loaded. */
  maxBytes: number | undefined
  banner: ReactNode
}

export function ChannelPictures({ user, maxBytes, banner }: ChannelPicturesProps) {
  const { displayName, avatarUrl, bannerUrl } = user
  return (
    <>
      <PictureField
        kind="avatar"
        url={avatarUrl}
        maxBytes={maxBytes}
        hint="A square picture, shown as a circle next to your name."
      >
        <UserAvatar name={displayName} src={avatarUrl} size={96} />
      </PictureField>
      <PictureField
        kind="banner"
        url={bannerUrl}
        maxBytes={maxBytes}
        hint="A wide picture along the top of your channel."
      >
        <div className={classes.banner}>{banner}</div>
      </PictureField>
    </>
  )
}
