import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** A router `Link`. */
export const LinkButton = createLink((props: ButtonProps & ComponentProps<'a'>) => (
  <Button component="a" {...props} />
))
