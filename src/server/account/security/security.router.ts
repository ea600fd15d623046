import { z } from 'zod'
import { confirmedProcedure, router, sessionProcedure } from '#server/platform/trpc.ts'
import {
  addPasskeySchema,
  codeSchema,
  creationOptionsSchema,
  factorsSchema,
  newRecoveryCodesSchema,
  passkeyIdSchema,
  renamePasskeySchema,
  timeCodeSetupSchema,
} from '#shared/schemas/second-factor.schemas.ts'
import { readFactors } from '../second-factor/second-factor.service.ts'
import {
  addPasskeyOf,
  beginPasskey,
  beginTimeCodes,
  confirmTimeCodes,
  removePasskey,
  removeTimeCodes,
  renamePasskey,
  renewCodes,
  setPasskeyAfterPassword,
} from './security.service.ts'

export const securityRouter = router({
  factors: sessionProcedure
    .output(factorsSchema)
    .query(({ ctx }) => readFactors(ctx.db, { userId: ctx.viewer.id, origin: ctx.origin })),

  beginTimeCodes: confirmedProcedure
    .output(timeCodeSetupSchema)
    .mutation(({ ctx }) => beginTimeCodes(ctx, ctx)),

  confirmTimeCodes: confirmedProcedure
    .input(z.object({ code: codeSchema }))
    .output(newRecoveryCodesSchema)
    .mutation(({ ctx, input }) => confirmTimeCodes(ctx, { ...input, viewer: ctx.viewer })),

  removeTimeCodes: confirmedProcedure
    .output(z.void())
    .mutation(({ ctx }) => removeTimeCodes(ctx, ctx)),

  renewRecoveryCodes: confirmedProcedure
    .output(z.object({ recoveryCodes: z.array(z.string()) }))
    .mutation(({ ctx }) => renewCodes(ctx, ctx)),

  beginPasskey: confirmedProcedure
    .output(creationOptionsSchema)
    .mutation(({ ctx }) => beginPasskey(ctx, ctx)),

  addPasskey: confirmedProcedure
    .input(addPasskeySchema)
    .output(z.void())
    .mutation(({ ctx, input }) => addPasskeyOf(ctx, { ...input, viewer: ctx.viewer })),

  renamePasskey: sessionProcedure
    .input(renamePasskeySchema)
    .output(z.void())
    .mutation(({ ctx, input }) => renamePasskey(ctx.db, { ...input, viewer: ctx.viewer })),

  removePasskey: confirmedProcedure
    .input(passkeyIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removePasskey(ctx, { ...input, viewer: ctx.viewer })),

  setPasskeyAfterPassword: confirmedProcedure
    .input(z.object({ isOn: z.boolean() }))
    .output(newRecoveryCodesSchema)
    .mutation(({ ctx, input }) => setPasskeyAfterPassword(ctx, { ...input, viewer: ctx.viewer })),
})
