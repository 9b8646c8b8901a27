/// Marks types of tests in which a trait does something else than in the service.
///
/// The test extends the trait `where Self: Mock`. For such a type the compiler prefers that extension to the trait's own;
/// its other traits stay as they are. A trait that calls a method of another trait calls that trait's own: the extension does
/// not reach through it, so a test replaces the outer method.
package protocol Mock {}
