// Style sheets become one file of their own beside the bundle.
declare module '*.css';
