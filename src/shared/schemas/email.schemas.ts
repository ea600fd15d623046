import { z } from 'zod'

/** The state of the member's own address. */
export const emailStateSchema = z.object({
  /** Whether the site sends email. */
  sends: z.boolean(),
  isVerified: z.boolean(),
  /** The mail server refused the address the last time. */
  isRefused: z.boolean(),
})
export type EmailState = z.infer<typeof emailStateSchema>

export const verifyEmailSchema = z.object({
  token: z.string().min(20, 'This link is not complete.').max(100, 'This link is not complete.'),
})

export const forgotPasswordSchema = z.object({
  /** A username or an email address. */
  name: z
    .string()
    .transform((value) => value.trim())
    .pipe(
      z
        .string()
        .min(1, 'Please enter your username or email address.')
        .max(254, 'Please enter your username or email address.'),
    ),
})

export const digestEverySchema = z.enum(['never', 'day', 'week'])
export type DigestEvery = z.infer<typeof digestEverySchema>

export const mailStateSchema = z.object({
  /** Null if the site sends no email. */
  server: z.object({ host: z.string(), from: z.string() }).nullable(),
  /** The reason why no email is sent although a mail server is configured. */
  problem: z.string().nullable(),
  /** Number of emails that are not sent yet. */
  waiting: z.int(),
  /** Error of the last email that could not be sent. */
  failure: z.string().nullable(),
})
export type MailState = z.infer<typeof mailStateSchema>
