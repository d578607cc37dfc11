import { Svg } from 'chartist';

const descriptor = Object.getOwnPropertyDescriptor(Svg.prototype, 'attr');
const setAttributes: unknown = descriptor?.value;

// The library sets attributes of style, which the policy of the page forbids. The same through the object model is allowed.
if (typeof setAttributes === 'function')
  Object.defineProperty(Svg.prototype, 'attr', {
    ...descriptor,
    value(this: Svg, given: unknown, ...more: readonly unknown[]): unknown {
      const isStyled = typeof given === 'object' && given !== null && 'style' in given;
      const { style, ...others } = isStyled ? given : { style: null };
      const node = this.getNode();
      if (isStyled && node instanceof SVGElement) node.style.cssText = String(style);
      const result: unknown = Reflect.apply(setAttributes, this, [isStyled ? others : given, ...more]);
      return result;
    },
  });
