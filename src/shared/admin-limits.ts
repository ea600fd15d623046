/** Days before the account of a banned member is deleted, if chosen. */
export const BAN_REVERSIBLE_DAYS = 30
export const RESUBMISSIONS_MAX = 3
export const RESET_HOURS = 24

export const SITE_NAME_MAX = 50
export const TAGLINE_MAX = 100
/** Maximum length of the sentence about the site, in characters. */
export const WELCOME_MAX = 200
export const RULES_MAX = 20_000
/** Characters. */
export const NOTICE_MAX = 500

export const AUDIT_ACTIONS = [
  'video.approve',
  'video.reject',
  'video.hide',
  'video.unhide',
  'video.edit',
  'video.resubmit',
  'video.delete',
  'video.cancel-work',
  'video.retry-work',
  'video.free-original',
  'comment.approve',
  'comment.hide',
  'comment.unhide',
  'comment.delete',
  'post.approve',
  'post.hide',
  'post.unhide',
  'post.delete',
  'squad.delete',
  'clip.delete',
  'report.resolve',
  'report.dismiss',
  'member.edit',
  'member.warn',
  'member.ban',
  'member.unban',
  'member.expire',
  'member.login',
  'member.fail-login',
  'member.end-sessions',
  'member.setup-admin',
  'member.grant-admin',
  'member.make-admin',
  'member.unmake-admin',
  'member.set-quota',
  'member.reset-password',
  'member.revoke-tokens',
  'member.import',
  'member.link',
  'member.unlink',
  'provider.create',
  'provider.edit',
  'provider.delete',
  'member.change-second-step',
  'member.reset-second-step',
  'invite.create',
  'invite.revoke',
  'site.edit',
  'site.edit-sign-in',
  'site.logo',
  'site.pin',
  'site.check',
  'backup.make',
  'backup.download',
  'backup.delete',
  'backup.prove',
  'webhook.create',
  'webhook.edit',
  'webhook.renew-secret',
  'webhook.delete',
  'worker.create',
  'worker.drain',
  'worker.resume',
  'worker.end',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const FILTER_MAX = 100
