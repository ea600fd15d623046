import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** A link that looks like a button; it takes what a `Link` takes. */
export const LinkButton = createLink((props: ButtonProps & ComponentProps<'a'>) => (
  <Button component="a" {...props} />
))
