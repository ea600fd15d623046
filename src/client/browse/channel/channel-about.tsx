import { IconCalendar, IconMail, IconUsers } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import type { User } from '#shared/schemas/user.schemas.ts'
import { formatDate, formatSubscribers } from '#shared/text/format.ts'
import classes from './channel-about.module.css'

type ChannelAboutProps = {
  channel: User
  renderText: (text: string) => ReactNode
}

export function ChannelAbout({ channel, renderText }: ChannelAboutProps) {
  const { bio, createdAt, subscriberCount, email } = channel
  return (
    <div className={classes.about}>
      <section
        className={`${look('framed', 'pad24')} ${classes.box}`}
        aria-labelledby="about-description"
      >
        <h2 id="about-description" className={look('below12', 'heading')}>
          Description
        </h2>
        {bio ? (
          <p className={look('preserveLines')}>{renderText(bio)}</p>
        ) : (
          <p className={look('muted')}>No description provided.</p>
        )}
      </section>
      <section
        className={`${look('framed', 'pad24')} ${classes.box}`}
        aria-labelledby="about-details"
      >
        <h2 id="about-details" className={look('below12', 'heading')}>
          Details
        </h2>
        <dl className={stack(12)}>
          <Fact icon={<IconCalendar size={20} stroke={1.75} aria-hidden />} name="Member since">
            Joined <time dateTime={createdAt}>{formatDate(createdAt)}</time>
          </Fact>
          <Fact icon={<IconUsers size={20} stroke={1.75} aria-hidden />} name="Subscribers">
            {formatSubscribers(subscriberCount)}
          </Fact>
          <Fact icon={<IconMail size={20} stroke={1.75} aria-hidden />} name="Contact">
            {email ? (
              <a className={classes.email} href={`mailto:${email}`}>
                {email}
              </a>
            ) : (
              <span className={look('muted')}>No contact information provided.</span>
            )}
          </Fact>
        </dl>
      </section>
    </div>
  )
}

function Fact({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>
        {icon}
        <span className="visually-hidden">{name}</span>
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
